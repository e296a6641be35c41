/** The generated client against the running service: its requests are accepted, and its results are typed. */
import { beforeAll, expect, test } from '@jest/globals';
import { type Client, createClient } from '../../clients/typescript/client/index.ts';
import {
  getArtworksId,
  getArtworksSelenaStyles,
  postArtworksSelena,
  postArtworksUpscaling,
  postFiles,
  postStyleDnaRefinePrompt,
} from '../../clients/typescript/index.ts';
import { smallPhoto } from '../../engines/local/test/photos.ts';
import { joinService } from '../support/shared.ts';
import type { Service } from '../support/stack.ts';

let service: Service;
let client: Client;

beforeAll(async () => {
  service = await joinService('quick');
  client = createClient({ baseUrl: service.baseUrl, auth: service.adminKey });
});

const wait = { Prefer: 'wait=60' };

test('creates an artwork, waits for it and reads it again', async () => {
  const body = { prompt: 'a red fox', style: 'oil', width: 256, height: 256 } as const;
  const { data, error, response } = await postArtworksSelena({ client, body, headers: wait });
  expect([response?.status, error]).toEqual([200, undefined]);
  if (!data || !('images' in data)) throw new Error('The response is not an artwork');
  expect(data).toMatchObject({ status: 'SUCCEEDED', images: [{ width: 256 }] });
  const again = await getArtworksId({ client, path: { id: data.id } });
  expect(again.data?.images.map(({ sha256 }) => sha256)).toEqual(data.images.map(({ sha256 }) => sha256));
});

test('uploads a file as a form and uses its id', async () => {
  const body = { file: new Blob([new Uint8Array(await smallPhoto('chelsea'))]) };
  const { data: file } = await postFiles({ client, body, throwOnError: true });
  const { data } = await postArtworksUpscaling({ client, body: { image: file.id }, headers: wait, throwOnError: true });
  expect(data).toMatchObject({ status: 'SUCCEEDED', images: [{ width: 2 * file.width }] });
});

test('sends a synchronous request and reads a listing', async () => {
  const { data } = await postStyleDnaRefinePrompt({ client, body: { prompt: 'fox in snow' }, throwOnError: true });
  expect(data).toMatchObject({ original: 'fox in snow' });
  const { data: listed } = await getArtworksSelenaStyles({ client, throwOnError: true });
  expect(listed.styles.map(({ id }) => id)).toContain('oil');
});

test('returns typed errors of the service, or throws them', async () => {
  const { data, error } = await postArtworksSelena({ client, body: { prompt: '' } });
  expect([data, error?.code, error?.errors?.map(({ path }) => path)]).toEqual([
    undefined,
    'validation_failed',
    ['/prompt'],
  ]);
  const stranger = createClient({ baseUrl: service.baseUrl, auth: 'atl_nobody' });
  const thrown = postArtworksSelena({ client: stranger, body: { prompt: 'a' }, throwOnError: true });
  await expect(thrown).rejects.toMatchObject({ code: 'invalid_api_key' });
});
