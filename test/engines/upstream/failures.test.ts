/** A failure looks the same for every provider: all protocols, all failures, one table. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createOutbound } from '../../../activities/outbound.ts';
import type { Engine, EngineCall, RemoteJob } from '../../../engines/contract/index.ts';
import { bindModel, openEngine } from '../../../engines/upstream/open.ts';
import { loadProtocol, type ProtocolName } from '../../../engines/upstream/protocols.ts';
import type { ErrorCode } from '../../../schemas/errors.ts';
import type { BindingEntry } from '../../../schemas/engines-file.ts';
import { impossibleFailures, startComfyui } from '../../upstreams/comfyui.ts';
import { startFal } from '../../upstreams/fal.ts';
import { startGoogle } from '../../upstreams/google.ts';
import { startOpenAiImages } from '../../upstreams/openai-images.ts';
import { startReplicate } from '../../upstreams/replicate.ts';
import type { FakeFailure, UpstreamFake } from '../../upstreams/upstream-fake.ts';
import { flux, schnell, sdxl } from '../../support/engines.ts';
import { params } from '../../../engines/local/test/ask.ts';

/** The code that the client sees for each failure. */
const codes: Record<FakeFailure, ErrorCode> = {
  'bad-request': 'provider_rejected',
  'bad-key': 'provider_rejected',
  forbidden: 'provider_rejected',
  unpaid: 'provider_rejected',
  'not-found': 'provider_rejected',
  moderation: 'content_refused',
  busy: 'provider_unavailable',
  quota: 'provider_unavailable',
  broken: 'provider_unavailable',
  unavailable: 'provider_unavailable',
  'gateway-timeout': 'provider_timeout',
  html: 'provider_unavailable',
  reset: 'provider_unavailable',
  cut: 'provider_unavailable',
  malformed: 'provider_unavailable',
  'wrong-type': 'provider_unavailable',
  redirect: 'provider_rejected',
  silence: 'provider_timeout',
  'endless-job': 'provider_timeout',
  'lost-job': 'provider_unavailable',
  'failed-job': 'provider_rejected',
  'private-link': 'provider_rejected',
  'dead-link': 'provider_unavailable',
  'huge-image': 'provider_rejected',
  'not-an-image': 'provider_rejected',
  'no-image': 'provider_rejected',
};

const jobs: readonly FakeFailure[] = ['endless-job', 'lost-job', 'failed-job'];
const endless: readonly FakeFailure[] = ['silence', 'endless-job'];
const links: readonly FakeFailure[] = ['private-link', 'dead-link'];

interface Case {
  start(options: { apiKey: string }): Promise<UpstreamFake>;
  entry: Omit<BindingEntry, 'engine'>;
  /** Failures that cannot happen with this protocol. */
  without: readonly FakeFailure[];
}

const cases: Record<ProtocolName, Case> = {
  openai: { start: startOpenAiImages, entry: { model: 'gpt-image-2.5-flare' }, without: [...jobs, ...links] },
  'openai-compatible': { start: startOpenAiImages, entry: { model: 'flux.1-dev' }, without: [...jobs, ...links] },
  google: { start: startGoogle, entry: { model: 'gemini-3.1-flash-image' }, without: [...jobs, ...links] },
  replicate: { start: startReplicate, entry: schnell, without: [] },
  fal: { start: startFal, entry: flux, without: [] },
  comfyui: { start: startComfyui, entry: sdxl, without: impossibleFailures },
};

const apiKey = 'sk-a-key-that-nobody-may-see';
/** Milliseconds that a call may take. The short timeout is for tests that wait until it passes. */
const short = 800;
const long = 60_000;
const outbound = createOutbound(['127.0.0.1']);
afterAll(() => outbound.close());

describe.each(Object.entries(cases) as [ProtocolName, Case][])('%s', (name, { start, entry, without }) => {
  let fake: UpstreamFake;
  let engine: Engine;

  beforeAll(async () => {
    fake = await start({ apiKey });
    const protocol = await loadProtocol(name);
    const selena = await bindModel(protocol, {
      task: 'text-to-image',
      entry: { ...entry, engine: name },
      folder: '/',
    });
    engine = await openEngine({
      name,
      protocol,
      entry: { protocol: name, baseUrl: fake.url },
      apiKey,
      models: { selena },
    });
  });
  afterAll(async () => {
    await engine.close();
    await fake.close();
  });

  const call: EngineCall = {
    model: 'selena',
    idempotencyKey: 'art_1/image-1',
    task: 'text-to-image',
    params: params({ width: 1024, height: 1024 }),
  };

  /** Runs the call as the activity does, with the job in memory. */
  function run(idempotencyKey: string, timeout: number) {
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
          download: (url, limit, signal) => outbound.get(url, { limit, signal, timeout: 5000 }),
          convertImage: decoder.convert,
        },
      },
    );
  }

  test('succeeds', async () => {
    fake.fail(null);
    const { images, model } = await run('art_good/image-1', long);
    expect(images).toEqual([expect.objectContaining({ width: 1024, height: 1024, contentType: 'image/png' })]);
    expect(model).toMatch(new RegExp(`^${name}/`));
  });

  const failures = Object.entries(codes) as [FakeFailure, ErrorCode][];
  test.each(failures.filter(([failure]) => !without.includes(failure)))('reports %s as %s', async (failure, code) => {
    fake.fail(failure);
    const error = await run(`art_${failure}/image-1`, endless.includes(failure) ? short : long).then(
      () => null,
      (thrown: unknown) => thrown as { name: string; code: string; message: string; publicMessage?: string },
    );
    // The activity ends a call without a response, and reports provider_timeout.
    expect(error?.name === 'TimeoutError' ? 'provider_timeout' : error?.code).toBe(code);
    expect(error?.publicMessage).toBeUndefined();
    expect(`${error?.message} ${JSON.stringify(error)}`).not.toContain(apiKey);
    expect(error?.message).not.toContain(fake.url);
  });
});
