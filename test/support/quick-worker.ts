/**
 * A worker for tests that do not look at pictures: drawing, background removal and the judgement of images take no
 * time. One face model is bound to an engine that rejects every call; everything else is embedded.
 */
import { embedded } from '../../engines/embedded.ts';
import { type Engine, EngineError } from '../../engines/contract/index.ts';
import { runWorker } from '../../workers/run.ts';

/** A transparent pixel. */
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const quick: Engine = {
  name: 'quick',
  tasks: ['text-to-image', 'remove-background', 'judge-image'],
  run: ({ task }) =>
    Promise.resolve({
      model: 'test/quick',
      ...(task === 'judge-image'
        ? { nsfw: 0 }
        : { images: [{ bytes: pixel, contentType: 'image/png', width: 1, height: 1, seed: 0 }] }),
    }),
  close: () => Promise.resolve(),
};

const broken: Engine = {
  name: 'broken',
  tasks: ['refine-face'],
  run: () => Promise.reject(new EngineError('provider_rejected', 'The provider said: api key sk-secret is wrong')),
  close: () => Promise.resolve(),
};

const source = (engine: Engine) => ({ load: () => Promise.resolve(engine), concurrency: 100 });

await runWorker(({ language }) => {
  const { models, sources } = embedded(language);
  const bound = Object.entries(models).map(([name, model]) =>
    quick.tasks.includes(model.task)
      ? [name, { ...model, bindings: [{ engine: quick.name, timeout: 60_000 }] }]
      : [name, model],
  );
  return {
    live: {
      models: {
        ...(Object.fromEntries(bound) as typeof models),
        'face-clarity': { task: 'refine-face', bindings: [{ engine: broken.name, timeout: 1000 }] },
      },
      sources: { ...sources, quick: source(quick), broken: source(broken) },
    },
  };
});
