/** Installs and runs Squawk, which finds SQL of migrations that would block a running service. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { pipPackage } from '../../scripts/local/pip-package.ts';

const version = '2.70.0';

/** Rules about style, and those that our way to run migrations follows anyway. */
const excluded = [
  'prefer-bigint-over-int',
  'prefer-identity',
  'prefer-robust-stmts',
  'prefer-text-field',
  'require-timeout-settings',
];

/** Returns what Squawk reports; an empty string when it finds nothing. */
export async function squawk(sql: string, options: { inTransaction: boolean }): Promise<string> {
  const folder = await pipPackage('squawk-cli', version);
  const args = [`--exclude=${excluded.join()}`, ...(options.inTransaction ? ['--assume-in-transaction'] : [])];
  const child = spawn(join(folder, 'bin', 'squawk'), args, { stdio: ['pipe', 'pipe', 'pipe'] });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stdin.end(sql);
  const code = await new Promise((resolve, reject) => {
    child.once('close', resolve);
    child.once('error', reject);
  });
  return code === 0 ? '' : output;
}
