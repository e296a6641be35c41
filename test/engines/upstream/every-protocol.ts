/** Shared by tests that run a call at the fake of every provider. */
import { createOutbound } from '../../../activities/outbound.ts';
import { downloadResult } from '../../../activities/download-result.ts';
import type { EngineCall, EngineResult, RemoteJob } from '../../../engines/contract/index.ts';
import { bindModel, openEngine } from '../../../engines/upstream/open.ts';
import { loadProtocol, type ProtocolName } from '../../../engines/upstream/protocols.ts';
import { createDecoder, type Decoder } from '../../../images/decoder.ts';
import type { BindingEntry } from '../../../schemas/engines-file.ts';
import { startComfyui } from '../../upstreams/comfyui.ts';
import { startFal } from '../../upstreams/fal.ts';
import { startGoogle } from '../../upstreams/google.ts';
import { startOpenAiImages } from '../../upstreams/openai-images.ts';
import { startReplicate } from '../../upstreams/replicate.ts';
import type { FakeOptions, UpstreamFake } from '../../upstreams/upstream-fake.ts';
import { flux, schnell, sdxl } from '../../support/engines.ts';
import { params } from '../../../engines/local/test/ask.ts';

interface ProtocolCase {
  start(options: FakeOptions & { apiKey: string }): Promise<UpstreamFake>;
  entry: Omit<BindingEntry, 'engine'>;
}

const cases: Record<ProtocolName, ProtocolCase> = {
  openai: { start: startOpenAiImages, entry: { model: 'gpt-image-2.5-flare' } },
  'openai-compatible': { start: startOpenAiImages, entry: { model: 'flux.1-dev' } },
  google: { start: startGoogle, entry: { model: 'gemini-3.1-flash-image' } },
  replicate: { start: startReplicate, entry: schnell },
  fal: { start: startFal, entry: flux },
  comfyui: { start: startComfyui, entry: sdxl },
};

export const protocolNames = Object.keys(cases) as ProtocolName[];

export const apiKey = 'sk-a-key-that-nobody-may-see';

export interface ProtocolBench {
  fake: UpstreamFake;
  /** Lines that the worker would log as warnings. */
  warnings: object[];
  /** Runs a call as the activity does, with the job in memory. @param timeout milliseconds that the call may take */
  run(idempotencyKey: string, timeout?: number): Promise<EngineResult>;
  close(): Promise<void>;
}

interface Options extends Pick<FakeOptions, 'file'> {
  decoder?: Decoder;
}

/** Starts a fake and opens an engine that calls it. */
export async function openProtocol(
  name: ProtocolName,
  { decoder = createDecoder(), ...given }: Options = {},
): Promise<ProtocolBench> {
  const { start, entry } = cases[name];
  const fake = await start({ apiKey, ...given });
  const outbound = createOutbound(['127.0.0.1']);
  const warnings: object[] = [];
  const ignore = () => undefined;
  const log = { info: ignore, error: ignore, warn: (fields: object) => void warnings.push(fields) };
  const protocol = await loadProtocol(name);
  const selena = await bindModel(protocol, {
    task: 'text-to-image',
    entry: { ...entry, engine: name },
    folder: '/',
  });
  const engine = await openEngine({
    name,
    protocol,
    entry: { protocol: name, baseUrl: fake.url },
    apiKey,
    models: { selena },
  });
  const call: EngineCall = {
    model: 'selena',
    idempotencyKey: 'art_1/image-1',
    task: 'text-to-image',
    params: params({ width: 1024, height: 1024 }),
  };
  return {
    fake,
    warnings,
    run(idempotencyKey, timeout = 60_000) {
      let job: RemoteJob | null = null;
      return engine.run(
        { ...call, idempotencyKey },
        {
          signal: AbortSignal.timeout(2 * timeout),
          remote: {
            job,
            timeout,
            now: Date.now,
            acquireSlot: () => Promise.resolve(),
            confirm: () => Promise.resolve(),
            submitSignal: AbortSignal.timeout(2 * timeout),
            saveJob: (saved) => Promise.resolve((job = { ...saved, submittedAt: Date.now(), charges: 1 })),
            forgetJob: () => Promise.resolve(void (job = null)),
            // As the worker does afterwards.
            discardJob: async () => {
              if (job) await engine.discard?.({ ...job, model: call.model, isEnded: false }).catch(() => undefined);
            },
            download: (url, limit, signal) => downloadResult({ outbound, log }, url, { engine: name, limit, signal }),
            convertImage: decoder.convert,
          },
        },
      );
    },
    close: async () => void (await Promise.all([engine.close(), fake.close(), outbound.close(), decoder.close()])),
  };
}
