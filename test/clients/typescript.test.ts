/** The generated client against the running service: what it sends is taken, what it gets is typed. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Client, createClient } from '../../clients/typescript/client/index.ts';
import {
  getArtworksId,
  getArtworksSelenaStyles,
  postArtworksSelena,
  postArtworksUpscaling,
  postFiles,
  postStyleDnaRefinePrompt,
} from '../../clients/typescript/index.ts';
import { photo } from '../support/photos.ts';
import { startSharedStack } from '../support/shared.ts';
import type { Stack } from '../support/stack.ts';

let stack: Stack;
let client: Client;

beforeAll(async () => {
  stack = await startSharedStack();
  client = createClient({ baseUrl: stack.baseUrl, auth: stack.adminKey });
});
afterAll(() => stack.stop());

const wait = { Prefer: 'wait=60' };

test('text to image, waited for, and read again', async () => {
  const body = { prompt: 'a red fox', style: 'oil', width: 256, height: 256 } as const;
  const { data, error, response } = await postArtworksSelena({ client, body, headers: wait });
  expect([response?.status, error]).toEqual([200, undefined]);
  if (!data || !('images' in data)) throw new Error('It is no artwork');
  expect(data).toMatchObject({ status: 'SUCCEEDED', images: [{ width: 256 }] });
  const again = await getArtworksId({ client, path: { id: data.id } });
  expect(again.data?.images.map(({ sha256 }) => sha256)).toEqual(data.images.map(({ sha256 }) => sha256));
});

test('a file is uploaded as a form, and named by its id', async () => {
  const body = { file: new Blob([new Uint8Array(await photo('chelsea'))]) };
  const { data: file } = await postFiles({ client, body, throwOnError: true });
  const { data } = await postArtworksUpscaling({ client, body: { image: file.id }, headers: wait, throwOnError: true });
  expect(data).toMatchObject({ status: 'SUCCEEDED', images: [{ width: 2 * file.width }] });
});

test('answers and listings', async () => {
  const { data } = await postStyleDnaRefinePrompt({ client, body: { prompt: 'fox in snow' }, throwOnError: true });
  expect(data).toMatchObject({ original: 'fox in snow' });
  const { data: listed } = await getArtworksSelenaStyles({ client, throwOnError: true });
  expect(listed.styles.map(({ id }) => id)).toContain('oil');
});

test('problems come as the service says them, typed; or are thrown', async () => {
  const { data, error } = await postArtworksSelena({ client, body: { prompt: '' } });
  expect([data, error?.code, error?.errors?.map(({ path }) => path)]).toEqual([
    undefined,
    'validation_failed',
    ['/prompt'],
  ]);
  const stranger = createClient({ baseUrl: stack.baseUrl, auth: 'atl_nobody' });
  const thrown = postArtworksSelena({ client: stranger, body: { prompt: 'a' }, throwOnError: true });
  await expect(thrown).rejects.toMatchObject({ code: 'invalid_api_key' });
});
