/**
 * A worker for tests and benchmarks that do not look at pictures: its models return white images of the right size.
 * They take no time, or the time that `TEST_CALL_TIMES` gives for a model (see `timed.ts`). Texts are written as in the
 * service, and artworks of test keys are drawn as in the service.
 */
import { setTimeout as delay } from 'node:timers/promises';
import sharp from 'sharp';
import { readKey } from '../../runtime/config.ts';
import type { EngineSource } from '../../engines/catalogue.ts';
import { embedded } from '../../engines/embedded.ts';
import { type Engine, type EngineCall, type EngineImage, EngineError } from '../../engines/contract/index.ts';
import { readEngines } from '../../engines/read.ts';
import { imageTasks } from '../../engines/upstream/image-tasks.ts';
import { runWorker } from '../../workers/run.ts';
import { callTimes } from './timed.ts';

const times = callTimes(process.env);

const instant: Engine = {
  name: 'instant',
  tasks: imageTasks,
  async run(call, { signal }) {
    const time = times[call.model];
    if (time === 'deadly') process.kill(process.pid, 'SIGKILL');
    if (typeof time === 'number' && time > 0) await delay(time, undefined, { signal });
    return { model: 'test/instant', images: [await white(sizeOf(call))] };
  },
  close: () => Promise.resolve(),
};

interface Size {
  width: number;
  height: number;
}

function sizeOf({ params }: EngineCall): Size {
  if ('width' in params) return params;
  if ('target' in params) return params.target;
  if (!('image' in params) || params.image instanceof Uint8Array)
    throw new Error('The call has neither a size nor an image');
  const { width, height } = params.image;
  const scale = 'scale' in params ? params.scale : 1;
  return { width: width * scale, height: height * scale };
}

const made = new Map<string, Promise<Buffer>>();

async function white({ width, height }: Size): Promise<EngineImage> {
  const key = `${width}×${height}`;
  const bytes =
    made.get(key) ??
    sharp({ create: { width, height, channels: 3, background: 'white' } })
      .png()
      .toBuffer();
  made.set(key, bytes);
  return { bytes: await bytes, contentType: 'image/png', width, height, seed: 0 };
}

/** The provider of one face model, which rejects every call. */
const rejecting: Engine = {
  name: 'rejecting',
  tasks: ['refine-face'],
  run: () => Promise.reject(new EngineError('provider_rejected', 'The provider said: api key sk-secret is wrong')),
  close: () => Promise.resolve(),
};

const source = (engine: Engine): EngineSource => ({
  load: () => Promise.resolve(engine),
  role: 'embedded',
  concurrency: 100,
});

await runWorker(async ({ enginesFile, language }) => {
  const own = embedded(language);
  // Each new process would have to load the weights of the classifier.
  const { nsfw: _classifier, ...models } = own.models;
  const instantly = Object.entries(models).map(([name, model]) =>
    instant.tasks.includes(model.task) && times[name] !== 'embedded'
      ? [name, { ...model, bindings: [{ engine: 'instant', timeout: 180_000 }] }]
      : [name, model],
  );
  const live = {
    models: {
      ...(Object.fromEntries(instantly) as typeof models),
      'face-clarity': { task: 'refine-face', bindings: [{ engine: 'rejecting', timeout: 1000 }] },
    } as typeof models,
    sources: { ...own.sources, instant: source(instant), rejecting: source(rejecting) },
  };
  return { live: enginesFile === null ? live : await readEngines(enginesFile, live, readKey), test: own };
});
