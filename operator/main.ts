/** `npm run operator -- …`: the operator's commands, which HTTP does not offer. */
import { readConfig } from '../runtime/config.ts';
import { exitOnUncaughtException } from '../runtime/process.ts';
import { runOperator } from './program.ts';

exitOnUncaughtException('operator');
// Help needs no secret. Every command requires one before it runs.
const config = readConfig(process.env, (secret) => secret);
process.exitCode = await runOperator(process.argv.slice(2), config, {
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
});
