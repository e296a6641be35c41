/** The default catalogue: every model on the embedded engine, which needs no network and no key. */
import { availableParallelism } from 'node:os';
import { faceModels } from '../schemas/face-models.ts';
import type { Bindings } from './catalogue.ts';

const minute = 60_000;

/** Embedded models by the time that one call may take. Large images are enlarged for minutes. */
const timeouts: Readonly<Record<string, number>> = {
  selena: 2 * minute,
  quantum: 2 * minute,
  hamilton: 2 * minute,
  seer: minute,
  nsfw: minute,
  'selena-variete': 3 * minute,
  'photo-pilot': 5 * minute,
  ...Object.fromEntries(faceModels.map(({ id }) => [id, 3 * minute])),
  'face-swap': 3 * minute,
  upscaling: 20 * minute,
  'detailer-upscaler': 20 * minute,
  'remove-background': 3 * minute,
  segmentation: 3 * minute,
  'depth-map': 3 * minute,
};

export function embedded(): Bindings {
  const threads = availableParallelism();
  const models = Object.entries(timeouts).map(([model, timeout]) => [model, { engine: 'local', timeout }] as const);
  return {
    models: Object.fromEntries(models),
    sources: {
      local: {
        load: async () => (await import('@atelier/local')).createLocalEngine({ threads }),
        // One more than threads, so that a thread need not wait while a picture is being stored.
        concurrency: threads + 1,
      },
    },
  };
}
