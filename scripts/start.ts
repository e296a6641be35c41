/** `npm start`: starts the service with its backends on this machine, keeps it running, and stops it. */
import { bringUp } from './local/bring-up.ts';
import { runInForeground } from './local/foreground.ts';

await runInForeground(process.env, { bringUp, stopOrder: [['api'], ['worker'], ['temporal', 'postgres']] });
