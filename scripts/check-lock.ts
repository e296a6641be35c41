/** Checks package-lock.json: every package of the registry has its hash, and npm 10 and npm 11 accept the file. */
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { npmVersion } from './npm-version.ts';
import { lockedPackages } from './supply-chain/lock-file.ts';

const npmVersions = ['10.9.9', npmVersion];
/** The files that `npm ci` compares. */
const manifests = ['package.json', 'package-lock.json', '.npmrc', 'engines/local/package.json'];

const root = fileURLToPath(new URL('..', import.meta.url));
const failures = [...withoutHash(), ...(await rejections())];
for (const failure of failures) console.error(failure);
if (failures.length > 0) {
  console.error('To write a new lock file, see "Add or update a package" in CONTRIBUTING.md.');
  process.exitCode = 1;
}

function withoutHash(): string[] {
  const missing = lockedPackages(root).filter(({ integrity, inBundle }) => !inBundle && !integrity);
  return missing.map(({ path }) => `${path} has no integrity`);
}

/** Runs `npm ci --dry-run` on a copy, because npm 10 and 11 compare the files in different ways. */
async function rejections(): Promise<string[]> {
  const copy = mkdtempSync(join(tmpdir(), 'atelier-lock-'));
  try {
    for (const file of manifests) cpSync(join(root, file), join(copy, file));
    const found: string[] = [];
    for (const version of npmVersions) {
      const npm = ['exec', '--yes', '--loglevel=error', `--package=npm@${version}`, '--', 'npm'];
      const args = [...npm, 'ci', '--dry-run', '--ignore-scripts', '--loglevel=error'];
      await promisify(execFile)('npm', args, { cwd: copy }).catch((error: unknown) => {
        const output = error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error);
        // npm appends its usage.
        found.push([`npm ${version} ci rejects the lock file:`, ...output.split('\n').slice(0, 12)].join('\n'));
      });
    }
    return found;
  } finally {
    rmSync(copy, { recursive: true });
  }
}
