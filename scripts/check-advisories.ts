/**
 * `npm run advisories`: fails when the registry knows an advisory of a production package that is not accepted.
 * `.ci/accepted-advisories.json` lists those that are, each with a reason and a last day. Exits with 1 if there is such
 * an advisory, with 2 if the registry gives no advisories. An argument names another project's folder.
 */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openAdvisories, type AcceptedAdvisory, type AuditReport } from './supply-chain/advisories.ts';

const root = process.argv[2] ?? fileURLToPath(new URL('..', import.meta.url));

/** The output of `npm audit` if the registry does not respond with advisories. */
interface AuditFailure {
  message?: string;
}

function audit(): Promise<AuditReport | AuditFailure> {
  return new Promise((resolve) => {
    const args = ['audit', '--omit=dev', '--package-lock-only', '--json', '--loglevel=error'];
    execFile('npm', args, { cwd: root, maxBuffer: 2 ** 26 }, (error, stdout) => {
      // npm exits with 1 for a failure and for an advisory.
      try {
        resolve(JSON.parse(stdout) as AuditReport | AuditFailure);
      } catch {
        resolve({ message: error?.message ?? 'npm printed no JSON' });
      }
    });
  });
}

const report = await audit();
if ('vulnerabilities' in report) {
  const file = join(root, '.ci/accepted-advisories.json');
  const accepted = JSON.parse(readFileSync(file, 'utf8')) as AcceptedAdvisory[];
  const failures = openAdvisories(report, accepted, new Date().toISOString().slice(0, 10));
  for (const failure of failures) console.error(failure);
  if (failures.length > 0) process.exitCode = 1;
  else console.log(`No advisory of a production package is open; ${accepted.length} are accepted for a time.`);
} else {
  console.error(
    `Nothing was checked, because the registry gives no advisories: ${report.message ?? 'no reason given'}`,
  );
  console.error('Run "npm run advisories" with a registry that does, or read the result of the workflow "Advisories".');
  process.exitCode = 2;
}
