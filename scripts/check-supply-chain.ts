/** Checks the packages of the lock file: their install scripts and the licences of those for production. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { allowedLicences, licenceExceptions } from './supply-chain/allowed-licences.ts';
import { wrongInstallScripts } from './supply-chain/install-scripts.ts';
import { wrongLicences } from './supply-chain/licences.ts';
import { lockedPackages, productionPackages } from './supply-chain/lock-file.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const packages = lockedPackages(root);
const { allowScripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  allowScripts: Record<string, boolean>;
};
const failures = [
  ...wrongInstallScripts(packages, allowScripts),
  ...wrongLicences(productionPackages(packages), { allowed: allowedLicences, exceptions: licenceExceptions }),
];
for (const failure of failures) console.error(failure);
if (failures.length > 0) {
  console.error('"Add or update a package" in CONTRIBUTING.md says how to review a package.');
  process.exitCode = 1;
}
