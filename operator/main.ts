/** `npm run operator -- …`: what only the operator may do. Never reachable through HTTP. */
import { readConfig } from '../runtime/config.ts';
import { runOperator } from './program.ts';

process.exitCode = await runOperator(process.argv.slice(2), readConfig(), {
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
});
