/** The Replicate protocol: submissions, outputs, uploads, and failed predictions. */
import { expect, test } from '@jest/globals';
import { replicate } from '../../../../engines/upstream/replicate/protocol.ts';
import { failureOfJob } from '../../../../engines/upstream/replicate/failures.ts';
import { startReplicate } from '../../../upstreams/replicate.ts';
import { apiKey, bench, failure, image, prompt, run, generousTimeout, submit } from '../bench.ts';

const at = bench(replicate, startReplicate);
const flux = 'black-forest-labs/flux-dev';
const version = 'cc4956dd26fa5a7185d5660cc9100fab1b8070a1d1654a8bb5eb6d443b020bb2';

const last = () => at.fake.requests.at(-1);

test('addresses an official model by its name', async () => {
  await submit(at, flux, { prompt, seed: 7, num_outputs: 1 });
  expect(last()).toMatchObject({
    path: `/models/${flux}/predictions`,
    // The prediction ends a minute after the timeout of the call.
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', 'cancel-after': '150s' },
    body: { input: { prompt, seed: 7, num_outputs: 1 } },
  });
  // `Prefer: wait` would keep the connection open until the prediction has ended.
  expect(last()?.headers.prefer).toBeUndefined();
});

test('addresses a version by its hash, and a deployment by its name', async () => {
  await submit(at, `sczhou/codeformer:${version}`, { prompt });
  expect(last()).toMatchObject({ path: '/predictions', body: { version: `sczhou/codeformer:${version}` } });
  await submit(at, 'deployments/acme/portraits', { prompt });
  expect(last()).toMatchObject({ path: '/deployments/acme/portraits/predictions', body: { input: { prompt } } });
});

test('returns files as a list, and an object unchanged', async () => {
  const files = await run(at, flux, { prompt, num_outputs: 2 });
  expect(files).toEqual([expect.stringMatching(/^http.+\.png$/), expect.stringMatching(/^http.+\.png$/)]);
  const file = await image();
  const lone = await run(at, `sczhou/codeformer:${version}`, { image: file }, { task: 'refine-face' });
  expect(lone).toEqual([expect.stringMatching(/\.png$/)]);
  const maps = await run(at, `chenxwh/depth-anything-v2:${version}`, { image: file }, { task: 'estimate-depth' });
  expect(maps).toEqual({ color_depth: expect.any(String), grey_depth: expect.any(String) });
});

test('sends a small image as a data URI, in any place of the input', async () => {
  const file = await image();
  const { uploads } = at.fake.counts;
  await submit(at, 'owner/edit', { image: file, input_images: [file, file], more: { mask: file, n: [1, null] } });
  const uri = `data:image/png;base64,${Buffer.from(file.bytes).toString('base64')}`;
  const input = { image: uri, input_images: [uri, uri], more: { mask: uri, n: [1, null] } };
  expect(last()?.body).toEqual({ input });
  expect(at.fake.counts.uploads).toBe(uploads);
});

test('uploads a large image, and the job reads it', async () => {
  const { uploads } = at.fake.counts;
  const large = await image({ isLarge: true });
  const output = await run(at, 'owner/edit', { image: large, mask: await image() }, { task: 'edit-image' });
  expect(output).toHaveLength(1);
  expect(at.fake.counts.uploads - uploads).toBe(1);
  const submitted = at.fake.requests.findLast(({ path }) => path.endsWith('/predictions'));
  expect(submitted?.body).toMatchObject({
    input: { image: expect.stringMatching(/^https:\/\/api\.replicate\.com\/v1\/files\/f\d+$/) },
  });
  const uploaded = at.fake.requests.findLast(({ path }) => path === '/files');
  expect(uploaded?.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
});

test('deletes the files that were uploaded for a job, and succeeds when they or the job are gone', async () => {
  const job = await submit(at, 'owner/edit', { image: await image({ isLarge: true }), prompt: 'see /v1/files/f0' });
  const submitted = at.fake.requests.findLast(({ path }) => path.endsWith('/predictions'))?.body;
  const path = /\/files\/f\d+/.exec((submitted as { input: { image: string } }).input.image)?.[0];
  const before = at.fake.requests.length;
  await at.provider.deleteCopies?.(job, generousTimeout());
  expect(at.fake.requests.slice(before).map((request) => request.path)).toEqual([`/predictions/${job}`, path]);
  expect((await fetch(`${at.fake.url}${path}`)).status).toBe(404);
  await at.provider.deleteCopies?.(job, generousTimeout());
  await at.provider.deleteCopies?.('unknown', generousTimeout());
});

test('makes one attempt to upload, and submits nothing when it fails', async () => {
  const { uploads, submissions } = at.fake.counts;
  const large = await image({ isLarge: true });
  const stranger = replicate.connect({ name: 'upstream', baseUrl: at.fake.url, apiKey: 'wrong' });
  const error = await failure({ ...at, provider: stranger as never }, () =>
    submit({ ...at, provider: stranger as never }, flux, { image: large }),
  );
  expect(error.message).toBe('upstream rejected our API key (401)');
  expect(at.fake.counts).toMatchObject({ uploads: uploads + 1, submissions });
  await stranger.close();
});

test('sends no key when it is given none, even if the environment has one', async () => {
  const open = await startReplicate();
  process.env.REPLICATE_API_TOKEN = 'of-somebody-else';
  const provider = replicate.connect({ name: 'proxy', baseUrl: open.url, apiKey: undefined });
  delete process.env.REPLICATE_API_TOKEN;
  await provider.ping(generousTimeout());
  expect(open.requests[0]?.headers.authorization).toBeUndefined();
  await provider.close();
  await open.close();
});

test('keeps a path in the base address', async () => {
  const provider = replicate.connect({ name: 'proxy', baseUrl: `${at.fake.url}/proxy/v1/`, apiKey });
  await expect(provider.ping(generousTimeout())).rejects.toBeDefined();
  expect(last()?.path).toBe('/proxy/v1/account');
  await provider.close();
});

test.each([
  ['NSFW content detected. Try running it again, or try a different prompt.', 'refused'],
  ['All generated images contained NSFW content. Try running it again with a different prompt.', 'refused'],
  ['The input or output was flagged as sensitive. Please try again with different inputs. (E005)', 'refused'],
  ['Content was flagged by the safety system.', 'refused'],
  ['Prediction interrupted; please retry (code: PA)', 'canceled'],
  ['Director: unexpected error handling prediction (E9828)', 'canceled'],
  ['Unknown error (E1000)', 'canceled'],
  ['Timeout starting prediction (E6716)', 'canceled'],
  ['Model ran out of memory (E1001)', 'out-of-memory'],
  ['CUDA out of memory', 'out-of-memory'],
  ['No face detected in the source image.', 'no-face'],
  ['Could not find a face in the image', 'no-face'],
  ['could not find a face parsing model', 'failed'],
  ['Bad prompt: a portrait with no face, in oil', 'failed'],
  ['The value of moderate_noise is too large', 'failed'],
  [{ message: 'was flagged' }, 'refused'],
  [null, 'failed'],
] as const)('classifies a prediction that failed with %j as %s', (error, end) => {
  expect(failureOfJob('failed', error)).toBe(end);
});
