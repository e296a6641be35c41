/**
 * A worker like the service's own, in which some models are bound to an engine that uses no CPU and takes a given time.
 * It has no classifier, whose weights each new process would have to load.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { readKey } from '../../runtime/config.ts';
import { embedded } from '../../engines/embedded.ts';
import type { Engine } from '../../engines/contract/index.ts';
import { readEngines } from '../../engines/read.ts';
import { runWorker } from '../../workers/run.ts';
import { callTimes } from './timed.ts';

/** A transparent pixel. */
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const times = callTimes(process.env);

const timed: Engine = {
  name: 'timed',
  tasks: ['text-to-image'],
  async run({ model }, { signal }) {
    await delay(times[model], undefined, { signal });
    return {
      model: 'test/timed',
      images: [{ bytes: pixel, contentType: 'image/png', width: 1, height: 1, seed: 0 }],
    };
  },
  close: () => Promise.resolve(),
};

await runWorker(async ({ enginesFile }) => {
  const own = embedded();
  const { models, sources } = enginesFile === null ? own : await readEngines(enginesFile, own, readKey);
  const { nsfw: _classifier, ...others } = models;
  const bindings = [{ engine: 'timed', timeout: 180_000 }];
  const bound = Object.keys(times).map((model) => [model, { task: 'text-to-image', bindings }] as const);
  return {
    live: {
      models: { ...others, ...Object.fromEntries(bound) },
      sources: { ...sources, timed: { load: () => Promise.resolve(timed), concurrency: 100 } },
    },
    test: own,
  };
});
