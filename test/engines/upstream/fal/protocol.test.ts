/** The fal protocol: submissions, polls, uploads, and results that are errors. */
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, isIP } from 'node:net';
import { expect, test } from '@jest/globals';
import { fal } from '../../../../engines/upstream/fal/protocol.ts';
import { failureOfJob, isResultPending } from '../../../../engines/upstream/fal/failures.ts';
import type { QueueProvider } from '../../../../engines/upstream/provider.ts';
import type { Lookup } from '../../../../runtime/guarded-connector.ts';
import { ErrorResponse } from '../../../../engines/upstream/send-once.ts';
import { startFal } from '../../../upstreams/fal.ts';
import { apiKey, bench, failure, image, prompt, run, generousTimeout, submit, timeout } from '../bench.ts';

const at = bench(fal, startFal);
const flux = 'fal-ai/flux/dev';

const last = () => at.fake.requests.at(-1);

test('submits a job to the queue of its endpoint, which keeps no payloads and ends a job that does not start', async () => {
  await submit(at, flux, { prompt, image_size: { width: 1024, height: 768 }, num_images: 1 });
  expect(last()).toMatchObject({
    path: '/fal-ai/flux/dev',
    headers: {
      authorization: `Key ${apiKey}`,
      'content-type': 'application/json',
      'x-fal-object-lifecycle-preference': '{"expiration_duration_seconds":3600}',
      'x-fal-store-io': '0',
      // A minute after the timeout of the call.
      'x-fal-request-timeout': '150',
    },
    body: { prompt, image_size: { width: 1024, height: 768 }, num_images: 1 },
  });
});

test('polls a job at its application, not at the path of its endpoint', async () => {
  const job = await submit(at, flux, { prompt });
  await at.provider.poll(flux, job, generousTimeout());
  const paths = at.fake.requests.slice(-2).map(({ path }) => path);
  expect(paths).toEqual([`/fal-ai/flux/requests/${job}/status`, `/fal-ai/flux/requests/${job}`]);
});

test('returns the output of the endpoint unchanged', async () => {
  const output = await run(at, flux, { prompt, seed: 7, num_images: 2 });
  const link = { url: expect.stringMatching(/^http.+\.png$/) };
  expect(output).toMatchObject({ images: [link, link], seed: 7 });
  const file = await image();
  const lone = await run(at, 'fal-ai/birefnet/v2', { image_url: file }, { task: 'remove-background' });
  expect(lone).toMatchObject({ image: link });
});

test('sends a small image as a data URI, in any place of the input', async () => {
  const file = await image();
  const { uploads } = at.fake.counts;
  await submit(at, 'fal-ai/edit', { image_url: file, image_urls: [file], more: { mask_url: file, n: [1, null] } });
  const uri = `data:image/png;base64,${Buffer.from(file.bytes).toString('base64')}`;
  expect(last()?.body).toEqual({ image_url: uri, image_urls: [uri], more: { mask_url: uri, n: [1, null] } });
  expect(at.fake.counts.uploads).toBe(uploads);
});

test('uploads a large image without the key, and the job reads it', async () => {
  const { uploads } = at.fake.counts;
  const large = await image({ isLarge: true });
  const output = await run(at, 'fal-ai/esrgan', { image_url: large, scale: 2 }, { task: 'upscale' });
  expect(output).toMatchObject({ image: { url: expect.any(String) } });
  expect(at.fake.counts.uploads - uploads).toBe(1);
  const submitted = at.fake.requests.findLast(({ path }) => path === '/fal-ai/esrgan');
  expect(submitted?.body).toMatchObject({ image_url: expect.stringMatching(/^https:\/\/v3\.fal\.media\/files\//) });
  const put = at.fake.requests.findLast(({ path }) => path.startsWith('/put/'));
  expect(put?.headers).toMatchObject({ 'content-type': 'image/png', 'content-length': String(large.bytes.length) });
  expect(put?.headers.authorization).toBeUndefined();
  const initiated = at.fake.requests.findLast(({ path }) => path === '/storage/upload/initiate');
  expect(initiated?.headers['x-fal-object-lifecycle']).toBe('{"expiration_duration_seconds":86400}');
});

/** Starts a server that names an upload address. The fake always names its own. */
async function startLiar(address: string) {
  const liar = createServer((_, response) =>
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ upload_url: address, file_url: 'https://v3.fal.media/files/x' })),
  );
  await new Promise<void>((resolve) => liar.listen(0, '127.0.0.1', resolve));
  const { port } = liar.address() as AddressInfo;
  const close = () =>
    new Promise((resolve) => {
      liar.close(resolve);
      liar.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${port}`, close };
}

const forbidden = { code: 'provider_rejected', message: 'upstream returned a link to a forbidden address' };

async function expectForbidden(address: string, lookup?: Lookup): Promise<void> {
  const liar = await startLiar(address);
  const provider = fal.connect({ name: 'upstream', baseUrl: liar.url, apiKey, ...(lookup && { lookup }) });
  const names = { model: flux, task: 'upscale', idempotencyKey: 'art_1' } as const;
  const upload = { ...names, timeout, confirm: () => Promise.resolve() };
  const large = { image_url: await image({ isLarge: true }) };
  for (const send of [
    () => provider.ping(generousTimeout()),
    () => (provider as QueueProvider).submit({ ...upload, input: large }, generousTimeout()),
  ]) {
    const error = await send().catch((failed: unknown) => provider.explain(failed));
    expect(error).toMatchObject(forbidden);
  }
  await provider.close();
  await liar.close();
}

test.each([
  'http://127.0.0.1:9/put',
  'https://127.0.0.1:9/put',
  'https://10.0.0.1/put',
  'https://metadata.google.internal/',
  'file:///etc/passwd',
])('does not upload to %s', (address) => expectForbidden(address));

test.each(['127.0.0.1', '10.0.0.1', '169.254.169.254', '::1', 'fd00::1'])(
  'does not upload to a public name that leads to %s',
  async (address) => {
    let connections = 0;
    const server = createTcpServer((socket) => {
      connections++;
      socket.destroy();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const family = isIP(address);
    await expectForbidden(`https://uploads.fal.example.com:${port}/put`, (_name, _options, callback) =>
      callback(null, [{ address, family }]),
    );
    expect(connections).toBe(0);
    server.close();
  },
);

test('rejects an image that the safety checker has flagged', async () => {
  const error = await failure(at, () => run(at, flux, { prompt: 'nsfw' }));
  expect(error).toMatchObject({ code: 'content_refused', message: 'upstream refused the content' });
  expect(await run(at, flux, { prompt: 'nsfw', enable_safety_checker: false })).toMatchObject({ seed: 42 });
});

test('sends no key when it is given none, even if the environment has one', async () => {
  const open = await startFal();
  process.env.FAL_KEY = 'of-somebody-else';
  const provider = fal.connect({ name: 'proxy', baseUrl: `${open.url}/`, apiKey: undefined });
  await provider.ping(generousTimeout());
  delete process.env.FAL_KEY;
  expect(open.requests[0]).toMatchObject({ path: '/storage/upload/initiate' });
  expect(open.requests[0]?.headers.authorization).toBeUndefined();
  await provider.close();
  await open.close();
});

const completed = { status: 'COMPLETED' };
const model = (type: string) => ({ detail: [{ loc: ['body'], msg: 'x', type, url: 'x', input: {} }] });

test.each([
  ['moderation', 422, {}, model('content_policy_violation'), completed, 'refused'],
  ['no face', 422, {}, model('face_detection_error'), completed, 'no-face'],
  ['an account without balance', 403, {}, { detail: 'User is locked. Reason: Exhausted balance.' }, completed, null],
  ['a missing field', 422, {}, model('missing'), completed, 'invalid'],
  [
    'an image that cannot be read',
    422,
    { 'x-fal-retryable': 'false' },
    model('image_load_error'),
    completed,
    'invalid',
  ],
  ['a bug of the model', 500, { 'x-fal-retryable': 'false' }, model('internal_server_error'), completed, 'failed'],
  [
    'a timeout that may be retried',
    504,
    { 'x-fal-retryable': 'true' },
    model('generation_timeout'),
    completed,
    'canceled',
  ],
  [
    'an error that may be retried, by the newer header',
    500,
    { 'x-fal-needs-retry': '1' },
    model('internal_server_error'),
    completed,
    'canceled',
  ],
  ['a disconnected runner', 503, {}, { detail: 'x', error_type: 'runner_disconnected' }, completed, 'canceled'],
  ['a timeout, by the header', 504, { 'x-fal-error-type': 'request_timeout' }, { detail: 'x' }, completed, 'canceled'],
  ['no runner, by the status', 503, {}, {}, { ...completed, error_type: 'runner_scheduling_failure' }, 'canceled'],
  ['an error in the status of the job', 500, {}, { detail: 'x' }, { ...completed, error: 'x' }, 'failed'],
  ['too many requests to the model', 429, {}, model('rate_limit'), completed, 'canceled'],
  ['an error of the queue', 500, {}, { detail: 'Internal Server Error' }, completed, null],
  ['a bad request', 400, {}, { detail: 'x', error_type: 'bad_request' }, completed, 'invalid'],
] as const)('classifies a result that reports %s', (_, status, headers, body, said, end) => {
  expect(failureOfJob(new ErrorResponse(status, { ...headers }, { ...body }), said)).toBe(end);
});

test('recognizes a result that is not available yet', () => {
  expect(isResultPending(new ErrorResponse(400, {}, { detail: 'Request is still in progress' }))).toBe(true);
  expect(isResultPending(new ErrorResponse(400, {}, { detail: 'Bad request' }))).toBe(false);
});
