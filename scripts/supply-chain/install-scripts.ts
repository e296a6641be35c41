/** Compares the list of install scripts in package.json (`allowScripts`) with the packages of the lock file. */
import { productionPackages, type LockedPackage } from './lock-file.ts';

/**
 * Returns what is wrong with the list: a package with an install script that is not on it, and an entry without such a
 * package. Production installs run no scripts at all, so a production package cannot be allowed one.
 */
export function wrongInstallScripts(packages: LockedPackage[], allowScripts: Record<string, boolean>): string[] {
  const withScript = packages.filter(({ hasInstallScript }) => hasInstallScript === true);
  const names = new Set(withScript.map(({ name }) => name));
  const listed = Object.keys(allowScripts);
  const forProduction = new Set(productionPackages(withScript).map(({ name }) => name));
  return [
    ...[...names]
      .filter((name) => !listed.includes(name))
      .map((name) => `${name} has an install script. Add it to "allowScripts" in package.json, false if possible.`),
    ...listed
      .filter((name) => !names.has(name))
      .map((name) => `No package ${name} has an install script. Remove it from "allowScripts" in package.json.`),
    ...[...forProduction]
      .filter((name) => allowScripts[name] === true)
      .map((name) => `${name} is a production package, whose scripts never run. Set it to false in "allowScripts".`),
  ];
}
