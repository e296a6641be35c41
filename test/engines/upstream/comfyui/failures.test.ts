/** Failures of a ComfyUI server, or of a proxy in front of it: how each is classified, and that none reveals a secret. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { EngineError } from '../../../../engines/contract/index.ts';
import { impossibleFailures } from '../../../upstreams/comfyui.ts';
import type { FakeFailure } from '../../../upstreams/upstream-fake.ts';
import { apiKey, bench, connect, failure, images, generousTimeout, request, run, template } from './bench.ts';

const at = bench({ apiKey });

/** Expects that the printed error contains no key, address, prompt or path, and none of the server's words. */
function expectNoSecrets(error: EngineError): void {
  expect(error).toBeInstanceOf(EngineError);
  expect(error.publicMessage).toBeUndefined();
  const printed = [inspect(error, { depth: 20, showHidden: true }), JSON.stringify(error)].join('\n');
  for (const secret of [
    apiKey,
    'garden',
    '127.0.0.1',
    'http:',
    'safetensors',
    'Allocation',
    'mat1',
    '/home/',
    'log in',
  ]) {
    expect(printed).not.toContain(secret);
  }
  expect(error.message.length).toBeLessThan(80);
}

type Stage = 'submit' | 'poll' | 'collect';
const anywhere: Stage[] = ['submit', 'poll', 'collect'];

const table: [FakeFailure, Stage[], EngineError['code'], string][] = [
  ['bad-request', anywhere, 'provider_rejected', 'comfyui rejected the request as invalid (400)'],
  ['bad-key', anywhere, 'provider_rejected', 'comfyui rejected our API key (401)'],
  ['forbidden', anywhere, 'provider_rejected', 'comfyui rejected our API key (403)'],
  ['unpaid', anywhere, 'provider_rejected', 'comfyui requires a payment (402)'],
  ['not-found', ['submit', 'poll'], 'provider_rejected', 'comfyui has no such address or model (404)'],
  ['busy', anywhere, 'provider_unavailable', 'comfyui received too many requests (429)'],
  ['quota', anywhere, 'provider_unavailable', 'comfyui received too many requests (429)'],
  ['broken', anywhere, 'provider_unavailable', 'comfyui failed with a server error (500)'],
  ['unavailable', anywhere, 'provider_unavailable', 'comfyui failed with a server error (503)'],
  ['gateway-timeout', anywhere, 'provider_timeout', 'comfyui reported a timeout (504)'],
  ['html', anywhere, 'provider_unavailable', 'comfyui failed with a server error (502)'],
  ['reset', anywhere, 'provider_unavailable', 'comfyui closed the connection'],
  ['cut', anywhere, 'provider_unavailable', 'comfyui closed the connection'],
  ['malformed', ['submit', 'poll'], 'provider_unavailable', 'comfyui sent an unreadable response'],
  ['wrong-type', anywhere, 'provider_unavailable', 'comfyui sent an unreadable response'],
  ['redirect', anywhere, 'provider_rejected', 'comfyui responded with a redirect (302)'],
  ['lost-job', ['poll'], 'provider_unavailable', 'comfyui no longer has the job or its result'],
  ['failed-job', ['poll'], 'provider_rejected', 'comfyui failed to complete the job'],
  ['out-of-memory', ['poll'], 'provider_unavailable', 'comfyui ran out of memory'],
  ['dead-link', ['collect'], 'provider_unavailable', 'comfyui no longer has the job or its result'],
  ['huge-image', ['collect'], 'provider_rejected', 'comfyui returned too large an image'],
];

const cases = table.flatMap(([failure, stages, code, message]) =>
  stages.map((stage) => [failure, stage, code, message] as const),
);

test.each(cases)('%s at %s', async (planned, stage, code, message) => {
  at.fake.fail(planned, { at: stage });
  const error = await failure(at.provider, run(at.provider, request()));
  expect([error.code, error.message]).toEqual([code, message]);
  expect(error.retryAfter).toBe(planned === 'busy' ? 1000 : undefined);
  expectNoSecrets(error);
  expect(at.fake.counts.submissions).toBeLessThanOrEqual(1);
});

test('reports a job that a user interrupts in the editor as canceled', async () => {
  at.fake.hold();
  const id = await at.provider.submit(request(), generousTimeout());
  const headers = { authorization: `Bearer ${apiKey}` };
  await fetch(`${at.fake.url}/interrupt`, { method: 'POST', headers });
  const error = await failure(at.provider, images(at.provider, id));
  expect([error.code, error.message]).toEqual(['provider_unavailable', 'comfyui canceled the job']);
});

test('returns an empty list, or a file that is not an image, without checking it', async () => {
  at.fake.fail('no-image');
  expect(await run(at.provider, request())).toEqual([]);
  at.fake.fail('not-an-image');
  const [bytes] = await run(at.provider, request({ idempotencyKey: 'another' }));
  expect(Buffer.from(bytes ?? []).toString()).toBe('This is no image.');
});

const silences = [
  ...anywhere.map((stage) => ['silence', stage] as const),
  ...impossibleFailures.map((f) => [f, 'submit'] as const),
];
test.each(silences)('%s at %s ends at the timeout of the caller', async (planned, stage) => {
  at.fake.fail(planned, { at: stage });
  const error = await failure(at.provider, run(at.provider, request(), AbortSignal.timeout(1000)));
  expect([error.code, error.message]).toEqual(['provider_timeout', 'comfyui did not respond in time']);
});

test('an endless job runs until the timeout of the caller, and can then be canceled', async () => {
  at.fake.fail('endless-job');
  const id = await at.provider.submit(request(), generousTimeout());
  expect((await failure(at.provider, images(at.provider, id, AbortSignal.timeout(500)))).code).toBe('provider_timeout');
  await at.provider.cancel('', id, generousTimeout());
  expect((await failure(at.provider, images(at.provider, id))).message).toBe('comfyui canceled the job');
});

test('a canceled call fails with the reason of its own signal', async () => {
  at.fake.fail('silence');
  const reason = new Error('The artwork was canceled');
  const controller = new AbortController();
  const submitting = at.provider.submit(request(), controller.signal);
  setTimeout(() => controller.abort(reason), 100);
  await expect(submitting).rejects.toBe(reason);
});

test('a server that is not ComfyUI is reported as unreadable, not as a lost job', async () => {
  const other = createServer((_request, response) => void response.end('{}'));
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const provider = connect(`http://127.0.0.1:${(other.address() as AddressInfo).port}`, undefined);
  const calls = [
    provider.poll('', 'id', generousTimeout()),
    provider.submit(request(), generousTimeout()),
    provider.ping(generousTimeout()),
  ];
  for (const call of calls) {
    expect((await failure(provider, call)).message).toBe('comfyui sent an unreadable response');
  }
  await provider.close();
  other.close();
});

describe('an operator’s mistake', () => {
  test('reports a workflow that ComfyUI rejects', async () => {
    const input = { ...request().input, checkpoint: 'not-there.safetensors' };
    const error = await failure(at.provider, run(at.provider, request({ input })));
    expect([error.code, error.message]).toEqual(['provider_rejected', 'comfyui rejected the request as invalid (400)']);
    expectNoSecrets(error);
  });

  test.each([
    [
      'a slot without a value',
      { input: { prompt: 'a secret garden' } },
      '{{checkpoint}} of a workflow template has no value',
    ],
    ['a missing template', { model: template('nowhere.json') }, 'template nowhere.json cannot be read (ENOENT)'],
  ])('reports %s', async (_name, rest, message) => {
    const error = await failure(at.provider, run(at.provider, request(rest)));
    expect([error.code, error.isFinal]).toEqual(['internal_error', true]);
    expect(error.message).toContain(message);
    expect(at.fake.counts.submissions).toBe(0);
  });
});
