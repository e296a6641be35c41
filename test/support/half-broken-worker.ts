/** A worker of the embedded engines, one model of which is bound to an engine that rejects every call. */
import { embedded } from '../../engines/embedded.ts';
import { EngineError } from '../../engines/engine.ts';
import { runWorker } from '../../workers/run.ts';

const broken = {
  name: 'broken',
  tasks: ['refine-face'] as const,
  run: () => Promise.reject(new EngineError('provider_rejected', 'The provider said: api key sk-secret is wrong')),
  close: () => Promise.resolve(),
};
await runWorker(({ language }) => {
  const { models, sources } = embedded(language);
  return {
    live: {
      models: {
        ...models,
        'face-clarity': { task: 'refine-face', bindings: [{ engine: 'broken', timeout: 1000 }] },
      },
      sources: { ...sources, broken: { load: () => Promise.resolve(broken), concurrency: 1 } },
    },
  };
});
