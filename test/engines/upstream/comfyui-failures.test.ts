/** Every way in which a ComfyUI, or a proxy before it, can fail: what it is to us, and that it gives nothing away. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { EngineError } from '../../../engines/contract/index.ts';
import { meaningless } from '../../upstreams/comfyui.ts';
import type { FakeFailure } from '../../upstreams/upstream-fake.ts';
import { apiKey, bench, connect, failure, images, patient, request, run, template } from './comfyui-bench.ts';

const at = bench({ apiKey });

/** No key, address, prompt, path or word of the server's, however an error is printed. */
function expectSilence(error: EngineError): void {
  expect(error).toBeInstanceOf(EngineError);
  expect(error.publicMessage).toBeUndefined();
  const printed = [inspect(error, { depth: 20, showHidden: true }), JSON.stringify(error)].join('\n');
  for (const secret of [apiKey, 'garden', '127.0.0.1', 'http:', 'safetensors', 'Allocation', '/home/', 'log in']) {
    expect(printed).not.toContain(secret);
  }
  expect(error.message.length).toBeLessThan(80);
}

type Stage = 'submit' | 'look' | 'collect';
const anywhere: Stage[] = ['submit', 'look', 'collect'];

const table: [FakeFailure, Stage[], EngineError['code'], string][] = [
  ['bad-request', anywhere, 'provider_rejected', 'comfyui rejected the request (400)'],
  ['bad-key', anywhere, 'provider_rejected', 'comfyui refused our key (401)'],
  ['forbidden', anywhere, 'provider_rejected', 'comfyui refused our key (403)'],
  ['unpaid', anywhere, 'provider_rejected', 'comfyui wants to be paid (402)'],
  ['not-found', ['submit', 'look'], 'provider_rejected', 'comfyui was not found at its address (404)'],
  ['busy', anywhere, 'provider_unavailable', 'comfyui has too many requests (429)'],
  ['quota', anywhere, 'provider_unavailable', 'comfyui has too many requests (429)'],
  ['broken', anywhere, 'provider_unavailable', 'comfyui failed (500)'],
  ['unavailable', anywhere, 'provider_unavailable', 'comfyui failed (503)'],
  ['gateway-timeout', anywhere, 'provider_timeout', 'comfyui took too long (504)'],
  ['html', anywhere, 'provider_unavailable', 'comfyui failed (502)'],
  ['reset', anywhere, 'provider_unavailable', 'comfyui closed the connection'],
  ['cut', anywhere, 'provider_unavailable', 'comfyui closed the connection'],
  ['malformed', ['submit', 'look'], 'provider_unavailable', 'comfyui gave an answer that cannot be read'],
  ['wrong-type', anywhere, 'provider_unavailable', 'comfyui gave an answer that cannot be read'],
  ['redirect', anywhere, 'provider_rejected', 'comfyui sent us elsewhere (302)'],
  ['lost-job', ['look'], 'provider_unavailable', 'comfyui does not know its job any more'],
  ['failed-job', ['look'], 'provider_rejected', 'comfyui failed at its job'],
  ['dead-link', ['collect'], 'provider_unavailable', 'comfyui gave a link that leads nowhere'],
  ['huge-image', ['collect'], 'provider_rejected', 'comfyui gave an image that is too large'],
];

const cases = table.flatMap(([failure, stages, code, message]) =>
  stages.map((stage) => [failure, stage, code, message] as const),
);

test.each(cases)('%s at %s', async (planned, stage, code, message) => {
  at.fake.fail(planned, { at: stage });
  const error = await failure(at.provider, run(at.provider, request()));
  expect([error.code, error.message]).toEqual([code, message]);
  expect(error.retryAfter).toBe(planned === 'busy' ? 1000 : undefined);
  expectSilence(error);
  expect(at.fake.counts.submissions).toBeLessThanOrEqual(1);
});

test('a job that somebody interrupts in the editor was canceled', async () => {
  at.fake.hold();
  const id = await at.provider.submit(request(), patient());
  const headers = { authorization: `Bearer ${apiKey}` };
  await fetch(`${at.fake.url}/interrupt`, { method: 'POST', headers });
  const error = await failure(at.provider, images(at.provider, id));
  expect([error.code, error.message]).toEqual(['provider_unavailable', 'comfyui canceled its job']);
});

test('no image, or what is none, is for those who read images', async () => {
  at.fake.fail('no-image');
  expect(await run(at.provider, request())).toEqual([]);
  at.fake.fail('not-an-image');
  const [bytes] = await run(at.provider, request({ idempotencyKey: 'another' }));
  expect(Buffer.from(bytes ?? []).toString()).toBe('This is no image.');
});

const silences = [
  ...anywhere.map((stage) => ['silence', stage] as const),
  ...meaningless.map((f) => [f, 'submit'] as const),
];
test.each(silences)('%s at %s ends when the caller has enough', async (planned, stage) => {
  at.fake.fail(planned, { at: stage });
  const error = await failure(at.provider, run(at.provider, request(), AbortSignal.timeout(1000)));
  expect([error.code, error.message]).toEqual(['provider_timeout', 'comfyui did not answer in time']);
});

test('a job without an end waits until the caller has enough, and is interrupted then', async () => {
  at.fake.fail('endless-job');
  const id = await at.provider.submit(request(), patient());
  expect((await failure(at.provider, images(at.provider, id, AbortSignal.timeout(500)))).code).toBe('provider_timeout');
  await at.provider.cancel('', id, patient());
  expect((await failure(at.provider, images(at.provider, id))).message).toBe('comfyui canceled its job');
});

test('a caller who gives up is told why by his own signal', async () => {
  at.fake.fail('silence');
  const reason = new Error('The artwork was canceled');
  const controller = new AbortController();
  const submitting = at.provider.submit(request(), controller.signal);
  setTimeout(() => controller.abort(reason), 100);
  await expect(submitting).rejects.toBe(reason);
});

test('a server that is none is not taken for a ComfyUI that has lost our job', async () => {
  const other = createServer((_request, response) => void response.end('{}'));
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const provider = connect(`http://127.0.0.1:${(other.address() as AddressInfo).port}`, undefined);
  const calls = [provider.look('', 'id', patient()), provider.submit(request(), patient()), provider.ping(patient())];
  for (const call of calls) {
    expect((await failure(provider, call)).message).toBe('comfyui gave an answer that cannot be read');
  }
  await provider.close();
  other.close();
});

describe('an operator’s mistake', () => {
  test('a workflow that ComfyUI finds wrong', async () => {
    const input = { ...request().input, checkpoint: 'not-there.safetensors' };
    const error = await failure(at.provider, run(at.provider, request({ input })));
    expect([error.code, error.message]).toEqual(['provider_rejected', 'comfyui rejected the request (400)']);
    expectSilence(error);
  });

  test.each([
    ['a slot without a value', { input: { prompt: 'a secret garden' } }, 'nothing filled {{checkpoint}}'],
    ['no such file', { model: template('nowhere.json') }, 'template nowhere.json cannot be read (ENOENT)'],
  ])('%s', async (_name, rest, message) => {
    const error = await failure(at.provider, run(at.provider, request(rest)));
    expect([error.code, error.isFinal]).toEqual(['internal_error', true]);
    expect(error.message).toContain(message);
    expect(at.fake.counts.submissions).toBe(0);
  });
});
