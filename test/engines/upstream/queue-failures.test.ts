/** Failures of queue providers: each is classified like those of other providers, is not retried, and reveals no secret. */
import { describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { fal } from '../../../engines/upstream/fal/protocol.ts';
import { type Failure, failures } from '../../../engines/upstream/failures.ts';
import { replicate } from '../../../engines/upstream/replicate/protocol.ts';
import { startFal } from '../../upstreams/fal.ts';
import { startReplicate } from '../../upstreams/replicate.ts';
import type { FakeFailure } from '../../upstreams/upstream-fake.ts';
import {
  apiKey,
  bench,
  expectExplained,
  expectNoSecrets,
  failure,
  prompt,
  run,
  generousTimeout,
  submit,
} from './bench.ts';
import { at as found } from './examples.ts';

/** Each fake failure, at the request where it occurs by default, and our classification. */
const table: readonly (readonly [FakeFailure, Failure])[] = [
  ['bad-request', 'invalid'],
  ['bad-key', 'key-rejected'],
  ['forbidden', 'key-rejected'],
  ['unpaid', 'payment-required'],
  ['not-found', 'not-found'],
  ['moderation', 'refused'],
  ['busy', 'rate-limited'],
  ['quota', 'rate-limited'],
  ['broken', 'server-error'],
  ['unavailable', 'server-error'],
  ['gateway-timeout', 'timeout'],
  ['html', 'server-error'],
  ['reset', 'connection-closed'],
  ['cut', 'connection-closed'],
  ['malformed', 'unreadable'],
  ['wrong-type', 'unreadable'],
  ['redirect', 'redirect'],
  ['lost-job', 'lost'],
  ['failed-job', 'failed'],
  ['no-face', 'no-face'],
];

/** Failures that can occur at any request. */
const atAnyRequest: readonly FakeFailure[] = [
  'bad-key',
  'busy',
  'broken',
  'unavailable',
  'gateway-timeout',
  'html',
  'reset',
  'cut',
  'malformed',
  'wrong-type',
  'redirect',
];
const rowOf = new Map(table);

const protocols = [
  { protocol: replicate, start: startReplicate, model: 'black-forest-labs/flux-dev', pollStages: ['poll'] },
  { protocol: fal, start: startFal, model: 'fal-ai/flux/dev', pollStages: ['poll', 'collect'] },
] as const;

describe.each(protocols)('$protocol.name', ({ protocol, start, model, pollStages }) => {
  const at = bench(protocol, start);
  const input = { prompt };

  test.each(table)('reports %s as %s', async (fails, row) => {
    const before = { ...at.fake.counts };
    at.fake.fail(fails);
    const error = await failure(at, () => run(at, model, input));
    const [code, words] = failures[row];
    expect(error.code).toBe(code);
    expect(error.message).toContain(`upstream ${words}`);
    expect(error.retryAfter).toBe(fails === 'busy' || fails === 'quota' ? 1000 : undefined);
    expectExplained(error);
    expect(at.fake.counts.submissions - before.submissions).toBe(1);
    expect(at.fake.counts.reads - before.reads).toBeLessThanOrEqual(1);
  });

  test.each(pollStages.flatMap((stage) => atAnyRequest.map((fails) => [fails, stage] as const)))(
    '%s at the %s does not end the job: the next poll succeeds',
    async (fails, stage) => {
      const job = await submit(at, model, input);
      const before = at.fake.counts.reads;
      at.fake.fail(fails, { at: stage, times: 1 });
      const error = await failure(at, () => at.provider.poll(model, job, generousTimeout()));
      const [code, words] = failures[rowOf.get(fails) ?? 'failed'];
      expect(error.code).toBe(code);
      expect(error.message).toContain(words);
      expectExplained(error);
      expect(at.fake.counts.reads - before).toBe(1);
      expect(await at.provider.poll(model, job, generousTimeout())).toMatchObject({ state: 'done' });
    },
  );

  test('unclassified errors reveal no secret either', async () => {
    for (const fails of ['bad-key', 'unpaid', 'busy', 'reset', 'malformed', 'redirect'] as const) {
      at.fake.fail(fails);
      const raw = await run(at, model, input).catch((error: unknown) => error as Error);
      expectNoSecrets(raw as Error);
    }
  });

  test.each(['submit', ...pollStages] as const)(
    'a missing response at the %s ends as soon as the signal aborts',
    async (stage) => {
      const job = await submit(at, model, input);
      at.fake.fail('silence', { at: stage });
      const timeout = AbortSignal.timeout(300);
      const silent = await failure(at, () =>
        stage === 'submit' ? submit(at, model, input, { signal: timeout }) : at.provider.poll(model, job, timeout),
      );
      expect(silent.message).toContain(failures['no-response'][1]);
      expect(silent.code).toBe('provider_timeout');
    },
  );

  test('an abort during a submission ends it immediately and sends nothing more', async () => {
    at.fake.fail('silence');
    const { submissions } = at.fake.counts;
    const stop = new AbortController();
    const submitted = submit(at, model, input, { signal: stop.signal });
    const failed = expect(submitted).rejects.toBeDefined();
    while (at.fake.counts.submissions === submissions) await new Promise((resolve) => setTimeout(resolve, 5));
    stop.abort();
    await failed;
    at.fake.fail(null);
    await expect(submit(at, model, input, { signal: stop.signal })).rejects.toBeDefined();
    expect(at.fake.counts.submissions - submissions).toBe(1);
  });

  test('reports an unfinished job as waiting', async () => {
    const job = await submit(at, model, input);
    at.fake.fail('endless-job');
    expect(await at.provider.poll(model, job, generousTimeout())).toEqual({ state: 'waiting' });
    at.fake.fail(null);
    at.fake.hold();
    expect(await at.provider.poll(model, job, generousTimeout())).toEqual({ state: 'waiting' });
    at.fake.release();
    expect(await at.provider.poll(model, job, generousTimeout())).toMatchObject({ state: 'done' });
  });

  test('returns links to bad files without checking the files', async () => {
    const linked = async (fails: FakeFailure) => {
      at.fake.fail(fails);
      const links = found(protocol.output, await run(at, model, input)).filter((link) => link !== null);
      at.fake.fail(null);
      return links as string[];
    };
    expect(await linked('no-image')).toEqual([]);
    expect(await linked('private-link')).toEqual([expect.stringMatching(/^http:\/\/169\.254\./)]);
    expect((await fetch((await linked('dead-link'))[0] ?? '')).status).toBe(404);
    const text = await fetch((await linked('not-an-image'))[0] ?? '');
    expect(text.headers.get('content-type')).toBe('text/plain');
    const huge = await fetch((await linked('huge-image'))[0] ?? '');
    const { width = 0, height = 0 } = await sharp(await huge.arrayBuffer(), { limitInputPixels: false }).metadata();
    expect(width * height).toBeGreaterThan(64_000_000);
  });

  test('another process can poll a job by its id', async () => {
    const job = await submit(at, model, input);
    const other = protocol.connect({ name: 'upstream', baseUrl: at.fake.url, apiKey });
    if (other.kind !== 'queue') throw new Error('The provider is not a queue provider');
    expect(await other.poll(model, job, generousTimeout())).toMatchObject({ state: 'done' });
    await other.close();
  });

  test('cancels a job, and succeeds for an ended or unknown job', async () => {
    at.fake.hold();
    const job = await submit(at, model, input);
    await at.provider.cancel(model, job, generousTimeout());
    expect(at.fake.counts.cancels).toBe(1);
    const error = await failure(at, () => at.provider.poll(model, job, generousTimeout()));
    expect(error.code).toBe('provider_unavailable');
    at.fake.release();
    const done = await submit(at, model, input);
    await at.provider.poll(model, done, generousTimeout());
    await at.provider.cancel(model, done, generousTimeout());
    await at.provider.cancel(model, 'unknown', generousTimeout());
  });

  test('reports a failed cancellation', async () => {
    const job = await submit(at, model, input);
    const stranger = protocol.connect({ name: 'upstream', baseUrl: at.fake.url, apiKey: 'wrong' });
    if (stranger.kind !== 'queue') throw new Error('The provider is not a queue provider');
    await expect(stranger.cancel(model, job, generousTimeout())).rejects.toBeDefined();
    await stranger.close();
  });

  test('ping reports a wrong address or key', async () => {
    await at.provider.ping(generousTimeout());
    const stranger = protocol.connect({ name: 'upstream', baseUrl: at.fake.url, apiKey: 'wrong' });
    const error = await stranger.ping(generousTimeout()).catch((failed: unknown) => stranger.explain(failed));
    expect(error).toMatchObject({ code: 'provider_rejected', message: 'upstream rejected our API key (401)' });
    await stranger.close();
    const gone = await start({ apiKey });
    await gone.close();
    const unreachable = protocol.connect({ name: 'upstream', baseUrl: gone.url, apiKey });
    const closed = await unreachable.ping(generousTimeout()).catch((failed: unknown) => unreachable.explain(failed));
    expect(closed).toMatchObject({ code: 'provider_unavailable', message: 'upstream refused the connection' });
    await unreachable.close();
  });

  test.each(['', 'nothing', '../../account', 'a/b?c=d', 'https://fal.run/x', 'owner/name/../../../account'])(
    'rejects the invalid model name %j before sending a request',
    async (name) => {
      const { length } = at.fake.requests;
      const error = await failure(at, () => submit(at, name, input));
      expect(error).toMatchObject({ code: 'provider_rejected', message: 'upstream has no such address or model' });
      expect(at.fake.requests).toHaveLength(length);
    },
  );

  test('reports a bug in our code as internal_error', () => {
    const error = at.provider.explain(new TypeError(`Cannot read ${prompt}`));
    expect(error).toMatchObject({ code: 'internal_error', message: 'Unexpected TypeError' });
    expectExplained(error);
  });
});
