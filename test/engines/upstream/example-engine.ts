/** Opens the engine of an example file, connected to a fake, with every image model that the file binds. */
import { createOutbound } from '../../../activities/outbound.ts';
import type { EngineCall, EngineImage } from '../../../engines/contract/index.ts';
import { bindModel, openEngine, type ProviderModel } from '../../../engines/upstream/open.ts';
import { loadProtocol } from '../../../engines/upstream/protocols.ts';
import { createDecoder } from '../../../images/decoder.ts';
import { apiKey } from './bench.ts';
import { bindingsIn } from './examples.ts';

export interface ExampleEngine {
  /** Runs a call as the activity does. */
  run(call: Omit<EngineCall, 'idempotencyKey'>): Promise<EngineImage[]>;
  close(): Promise<void>;
}

/** @param more further models, by name, bound as another model of the file with other settings */
export async function openExample(
  name: 'fal' | 'replicate',
  fakeUrl: string,
  more: Readonly<Record<string, { as: string; nsfw?: boolean }>> = {},
): Promise<ExampleEngine> {
  const protocol = await loadProtocol(name);
  const outbound = createOutbound(['127.0.0.1']);
  const decoder = createDecoder();
  const models: Record<string, ProviderModel> = {};
  for (const { name: model, task, ...entry } of await bindingsIn(`all-${name}.json`)) {
    models[model] = await bindModel(protocol, { task, entry, folder: '/' });
    for (const [another, { as, ...settings }] of Object.entries(more)) {
      if (as === model)
        models[another] = await bindModel(protocol, { task, entry: { ...entry, ...settings }, folder: '/' });
    }
  }
  const engine = await openEngine({ name, protocol, entry: { protocol: name, baseUrl: fakeUrl }, apiKey, models });
  return {
    async run(call) {
      const { images = [] } = await engine.run({ ...call, idempotencyKey: 'art_1/image-1' } as EngineCall, {
        signal: AbortSignal.timeout(30_000),
        remote: {
          ...{ job: null, timeout: 30_000, now: () => Date.now() },
          acquireSlot: () => Promise.resolve(),
          confirm: () => Promise.resolve(),
          submitSignal: AbortSignal.timeout(60_000),
          saveJob: (job) => Promise.resolve({ ...job, submittedAt: Date.now(), charges: 1 }),
          forgetJob: () => Promise.resolve(),
          discardJob: () => Promise.resolve(),
          download: (url, limit, signal) => outbound.get(url, { limit, signal, timeout: 5000 }),
          convertImage: decoder.convert,
        },
      });
      return [...images];
    },
    close: async () => void (await Promise.all([engine.close(), outbound.close(), decoder.close()])),
  };
}
