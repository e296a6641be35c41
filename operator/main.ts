/** `npm run operator -- …`: the operator's commands, which HTTP does not offer. */
import { readConfig } from '../runtime/config.ts';
import { exitOnUncaughtException } from '../runtime/process.ts';
import { runOperator } from './program.ts';

exitOnUncaughtException('operator');
process.exitCode = await runOperator(process.argv.slice(2), readConfig(), {
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
});
