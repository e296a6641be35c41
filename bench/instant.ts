/** A worker whose engine takes no time, so that a benchmark measures the service itself. */
import type { Engine } from '../engines/contract/index.ts';
import { runWorker } from '../workers/run.ts';

/** A transparent pixel. */
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const instant: Engine = {
  name: 'instant',
  tasks: ['text-to-image', 'write'],
  run: () =>
    Promise.resolve({
      model: 'bench/instant',
      images: [{ bytes: pixel, contentType: 'image/png', width: 1, height: 1, seed: 0 }],
    }),
  close: () => Promise.resolve(),
};

const bindings = [{ engine: 'instant', timeout: 60_000 }];
const picture = { task: 'text-to-image', bindings } as const;
const models = { selena: picture, quantum: picture, hamilton: picture, seer: { task: 'write', bindings } as const };
await runWorker(() => ({
  live: { models, sources: { instant: { load: () => Promise.resolve(instant), concurrency: 100 } } },
}));
