/** The default catalogue: every model on the embedded engine, which needs no network and no key. */
import { availableParallelism } from 'node:os';
import { type Catalogue, createCatalogue } from './catalogue.ts';

const minute = 60_000;

export function embeddedCatalogue(): Catalogue {
  const threads = availableParallelism();
  return createCatalogue(
    {
      selena: { engine: 'local', timeout: 2 * minute },
      quantum: { engine: 'local', timeout: 2 * minute },
      hamilton: { engine: 'local', timeout: 2 * minute },
      seer: { engine: 'local', timeout: minute },
    },
    {
      local: {
        load: async () => (await import('@atelier/local')).createLocalEngine({ threads }),
        // One more than threads, so that a thread need not wait while a picture is being stored.
        concurrency: threads + 1,
      },
    },
  );
}
