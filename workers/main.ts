/** The worker process, with the embedded engines. */
import { embeddedCatalogue } from '../engines/embedded.ts';
import { runWorker } from './run.ts';

await runWorker(embeddedCatalogue());
