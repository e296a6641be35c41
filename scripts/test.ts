/** `npm test`: runs Jest with the given arguments. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const jest = fileURLToPath(import.meta.resolve('jest/bin/jest'));
const flags = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
const child = spawn(process.execPath, [...flags, jest, ...process.argv.slice(2)], {
  stdio: 'inherit',
  // Jest's worker processes need these flags, too.
  env: { ...process.env, NODE_OPTIONS: flags.join(' ') },
});
child.once('exit', (code) => (process.exitCode = code ?? 1));
