/** `npm test`: jest over real parts. Arguments go on to jest. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const jest = fileURLToPath(import.meta.resolve('jest/bin/jest'));
const flags = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
const child = spawn(process.execPath, [...flags, jest, ...process.argv.slice(2)], {
  stdio: 'inherit',
  // The workers of jest are started with these, too.
  env: { ...process.env, NODE_OPTIONS: flags.join(' ') },
});
child.once('exit', (code) => (process.exitCode = code ?? 1));
