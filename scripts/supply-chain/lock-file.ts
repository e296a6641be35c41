/** Reads the packages that package-lock.json names. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A package of a registry, in one of the places where npm installs it. */
export interface LockedPackage {
  /** Folder below the project's, such as `node_modules/a/node_modules/b`. */
  path: string;
  /** The name in the registry, which differs from the folder's for an alias. */
  name: string;
  version: string;
  /** SPDX expression; missing if the package declares none. */
  license?: string;
  integrity?: string;
  /** Set for a package that only development needs. */
  dev?: boolean;
  /** Set for a package inside another one, whose hash covers it. */
  inBundle?: boolean;
  hasInstallScript?: boolean;
}

interface LockFile {
  packages: Record<string, Omit<LockedPackage, 'path' | 'name'> & { name?: string; link?: boolean }>;
}

/** Returns the packages of the lock file in the folder, without those of this project. */
export function lockedPackages(folder: string): LockedPackage[] {
  const { packages } = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')) as LockFile;
  return Object.entries(packages)
    .filter(([path, { link }]) => path.includes('node_modules/') && link !== true)
    .map(([path, entry]) => ({ ...entry, path, name: entry.name ?? nameIn(path) }));
}

/** Returns the packages that a production install may contain, on any platform. */
export function productionPackages(packages: LockedPackage[]): LockedPackage[] {
  return packages.filter(({ dev }) => dev !== true);
}

const marker = 'node_modules/';

function nameIn(path: string): string {
  return path.slice(path.lastIndexOf(marker) + marker.length);
}
