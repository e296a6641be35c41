/** The worker process, with the engines of the operator's file or the embedded ones. */
import { readKey } from '../runtime/config.ts';
import { embedded } from '../engines/embedded.ts';
import { readEngines } from '../engines/read.ts';
import { runWorker } from './run.ts';

await runWorker(async ({ enginesFile, language }) => {
  const own = embedded(language);
  return { live: enginesFile === null ? own : await readEngines(enginesFile, own, readKey), test: embedded() };
});
