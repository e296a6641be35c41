/** The worker process, with the embedded engines. */
import { embedded } from '../engines/embedded.ts';
import { runWorker } from './run.ts';

await runWorker(({ language }) => embedded(language));
