/** The worker process, with the engines of the engines file or the embedded engines. */
import { readKey } from '../runtime/config.ts';
import { embedded } from '../engines/embedded.ts';
import { readEngines } from '../engines/read.ts';
import { runWorker } from './run.ts';

await runWorker(async ({ enginesFile, language }) => {
  const local = embedded(language);
  return { live: enginesFile === null ? local : await readEngines(enginesFile, local, readKey), test: embedded() };
});
