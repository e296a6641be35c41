/** Styles over HTTP: encoded once, read, used by plans of several stages, and kept longer than their artworks. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import sharp from 'sharp';
import type { Accepted, ArtworkView } from '../schemas/artwork.ts';
import type { EncodedStyle } from '../schemas/style-dna.ts';
import { call } from './support/client.ts';
import { dataUri, halfPhoto } from '../engines/local/test/photos.ts';
import { expectProblem, rules } from './support/problem.ts';
import { type Receiver, startReceiver } from './support/receiver.ts';
import { joinService } from './support/shared.ts';
import type { Service } from './support/stack.ts';

let service: Service;
let receiver: Receiver;
let warm: string;

beforeAll(async () => {
  [service, receiver] = await Promise.all([joinService('embedded'), startReceiver()]);
  const images = await Promise.all(
    (['coffee', 'chelsea'] as const).map(async (name) => dataUri(await halfPhoto(name))),
  );
  warm = (await make('generate-anchor', { name: 'warm browns', images })).styleDnaId!;
});
afterAll(async () => {
  await receiver.close();
});

const url = (path: string) => `${service.baseUrl}/v2/style-dna${path}`;
const post = (path: string, body: object, key = service.adminKey) =>
  call<Accepted>(url(`/${path}`), { method: 'POST', key, body });

async function read(id: string): Promise<ArtworkView> {
  return (await call<ArtworkView>(`${service.baseUrl}/v2/artworks/${id}`, { key: service.adminKey })).body;
}

async function make(path: string, body: Record<string, unknown>): Promise<ArtworkView> {
  const accepted = await post(path, { ...body, webhookUrl: receiver.url });
  expect([path, accepted.status, accepted.body.operation]).toEqual([path, 202, `style-dna/${path}`]);
  await receiver.until(accepted.body.id, 1, 55_000);
  return read(accepted.body.id);
}

async function dnaOf(id: string): Promise<EncodedStyle> {
  return (await call<{ dna: EncodedStyle }>(url(`/${id}`), { key: service.adminKey })).body.dna;
}

const alphaOf = async ({ images }: ArtworkView) => {
  const bytes = Buffer.from(await (await fetch(images[0]!.url)).arrayBuffer());
  const { channels } = await sharp(bytes).stats();
  return channels.length === 4 ? channels[3]!.min : 255;
};

test('encodes a style from images: measured, described, and without an image of its own', async () => {
  const dna = await dnaOf(warm);
  expect(dna).toMatchObject({ version: 1, source: 'images' });
  expect(dna.measure.palette.length).toBeGreaterThan(2);
  expect(dna.measure.palette.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 1);
  expect(dna.measure.light.warmth).toBeGreaterThan(0.5);
  expect(dna.words.keywords.length).toBeGreaterThan(2);
});

test('encodes a style from a prompt, with the measured picture as its anchor', async () => {
  const artwork = await make('generate-anchor', { name: 'night', prompt: 'a dark blue night over the sea' });
  expect(artwork).toMatchObject({ status: 'SUCCEEDED', images: [{ role: 'anchor' }] });
  const dna = await dnaOf(artwork.styleDnaId!);
  expect(dna.source).toBe('prompt');
  expect(dna.measure.light.brightness).toBeLessThan((await dnaOf(warm)).measure.light.brightness + 0.2);
});

test('generate draws in the style, by the seed', async () => {
  const body = { styleDnaId: warm, prompt: 'a red fox in a forest', width: 256, height: 256, seed: 3 };
  const [one, two, other] = await Promise.all([
    make('generate', body),
    make('generate', body),
    make('generate', { ...body, seed: 4 }),
  ]);
  expect(one).toMatchObject({
    status: 'SUCCEEDED',
    prompt: body.prompt,
    styleDnaId: warm,
    input: { styleDnaId: warm },
  });
  expect(one.images).toEqual([expect.objectContaining({ role: 'image', width: 256, height: 256, seed: 3 })]);
  expect(two.images[0]!.sha256).toBe(one.images[0]!.sha256);
  expect(other.images[0]!.sha256).not.toBe(one.images[0]!.sha256);
});

test('an asset without background has two stages and one webhook with the final result only', async () => {
  const size = { width: 256, height: 256 };
  const body = { styleDnaId: warm, prompt: 'a lighthouse', backgroundMode: 'transparent', seed: 7, ...size };
  const artwork = await make('generate/asset', body);
  expect(artwork.status).toBe('SUCCEEDED');
  expect(artwork.images).toHaveLength(1);
  expect(artwork.images[0]!.model).toMatch(/^local\/(alpha|u2netp|grabcut)$/);
  expect(await alphaOf(artwork)).toBe(0);
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(receiver.received.filter(({ event }) => event.id === artwork.id)).toHaveLength(1);
  const opaque = await make('generate/asset', { styleDnaId: warm, prompt: 'a lighthouse', seed: 7, ...size });
  expect([opaque.images[0]!.model, await alphaOf(opaque)]).toEqual(['local/sketch', 255]);
});

test('edits, with and without the style', async () => {
  const image = dataUri(await halfPhoto('astronaut'));
  const body = { image, instruction: 'make it brighter', seed: 1 };
  const plain = await make('edit', body);
  const styled = await make('edit/style-aware', { ...body, styleDnaId: warm });
  for (const { images } of [plain, styled]) expect(images[0]).toMatchObject({ width: 256, height: 256, role: 'image' });
  expect(styled.images[0]!.sha256).not.toBe(plain.images[0]!.sha256);
  const refused = await make('edit', { ...body, instruction: 'let her sing' });
  expect([refused.status, refused.errorCode]).toEqual(['FAILED', 'input_invalid']);
});

test('remove-background', async () => {
  expect(await alphaOf(await make('remove-background', { image: dataUri(await halfPhoto('chelsea')) }))).toBe(0);
});

test('returns style options and refined prompts synchronously', async () => {
  const options = await call<{ options: object[] }>(url('/generate-style-options'), {
    method: 'POST',
    key: service.adminKey,
    body: { prompt: 'a lighthouse on a cliff', count: 3 },
  });
  expect(options.status).toBe(200);
  expect(options.body.options).toHaveLength(3);
  for (const styleDnaId of [undefined, warm]) {
    const body = { prompt: 'fox in snow', styleDnaId };
    const refined = await call(url('/refine-prompt'), { method: 'POST', key: service.adminKey, body });
    expect(refined.body).toEqual({ prompt: expect.stringMatching(/fox/i), original: 'fox in snow' });
  }
});

test('rejects invalid requests before the 202', async () => {
  const image = dataUri(await halfPhoto('chelsea'));
  const unknown = 'sty_01KAJ3V8C0Q5M2X7ZB4N9TDWEH';
  const refused: [string, object, string[]][] = [
    ['generate', { prompt: 'a' }, ['/styleDnaId required']],
    ['generate', { prompt: 'a', styleDnaId: unknown }, ['/styleDnaId exists']],
    ['generate', { prompt: 'a', styleDnaId: 'a\u0000b' }, ['/styleDnaId text']],
    ['generate', { prompt: 'a', styleDnaId: warm, width: 512 }, ['/height dependentRequired']],
    ['edit/style-aware', { image, instruction: 'a', styleDnaId: unknown }, ['/styleDnaId exists']],
    ['edit', { image, instruction: 'a', styleDnaId: warm }, ['/styleDnaId additionalProperties']],
    ['refine-prompt', { prompt: 'a', styleDnaId: unknown }, ['/styleDnaId exists']],
    ['generate-anchor', { name: 'a' }, ['/images required']],
    ['generate-anchor', { name: 'a', prompt: 'a', images: [image] }, ['/prompt exclusive']],
    ['generate-anchor', { name: 'a', images: Array(5).fill(image) }, ['/images maxItems']],
    ['generate-anchor', { name: 'a', images: ['data:image/png;base64,AAAA'] }, ['/images/0 image']],
    ['generate-anchor', { name: '', prompt: 'a' }, ['/name minLength']],
    [
      'generate/asset',
      { prompt: 'a', styleDnaId: warm, backgroundMode: 'transparent', outputFormat: 'jpeg' },
      ['/outputFormat combination'],
    ],
    ['remove-background', { image, outputFormat: 'jpeg' }, ['/outputFormat combination']],
    ['generate-style-options', { prompt: 'a', count: 9 }, ['/count maximum']],
  ];
  for (const [path, body, failures] of refused) {
    expect([path, rules(expectProblem(await post(path, body), 'validation_failed'))]).toEqual([path, failures]);
  }
});

test('every key of the organization uses a style, but another generator cannot delete it; its artworks stay', async () => {
  const keys = `${service.baseUrl}/v2/organizations/${service.orgId}/api-keys`;
  const newKey = async (scope: string, domains: string[]) => {
    const body = { label: 'test', scope, domains };
    return (await call(keys, { method: 'POST', key: service.adminKey, body })).body['apiKey'] as string;
  };
  const other = await newKey('generator', ['style-dna']);
  expect((await call(url(`/${warm}`), { key: other })).status).toBe(200);
  expect((await call(url(''), { key: other })).body['items']).toContainEqual(expect.objectContaining({ id: warm }));
  expect((await post('generate', { prompt: 'a', styleDnaId: warm }, other)).status).toBe(202);
  expectProblem(await call(url(''), { key: await newKey('manager', ['textcraft']) }), 'insufficient_domain');

  type Page = { items: { id: string; name: string }[]; nextCursor: string | null };
  const page = async (query: string) => (await call<Page>(url(query), { key: service.adminKey })).body;
  const all = (await page('')).items.map(({ id }) => id);
  expect(all).toEqual([...all].sort().reverse());
  const first = await page('?limit=1');
  const second = await page(`?limit=100&cursor=${first.nextCursor}`);
  expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(all);
  expect(second.nextCursor).toBeNull();
  for (const query of ['?limit=0', '?limit=101', '?limit=x', '?cursor=x', '?limit=1&limit=2']) {
    expectProblem(await call(url(query), { key: service.adminKey }), 'validation_failed');
  }

  const { id, styleDnaId } = await make('generate-anchor', {
    name: 'brief',
    images: [dataUri(await halfPhoto('rocket'))],
  });
  expectProblem(await call(url(`/${styleDnaId}`), { method: 'DELETE', key: other }), 'not_found');
  expect((await call(url(`/${styleDnaId}`), { method: 'DELETE', key: service.adminKey })).status).toBe(204);
  expectProblem(await call(url(`/${styleDnaId}`), { method: 'DELETE', key: service.adminKey }), 'not_found');
  expectProblem(await call(url(`/${styleDnaId}`), { key: service.adminKey }), 'not_found');
  expect(await read(id)).toMatchObject({ status: 'SUCCEEDED', styleDnaId });
});

test('reading an artwork requires the domain of its operation', async () => {
  const keys = `${service.baseUrl}/v2/organizations/${service.orgId}/api-keys`;
  const { id } = await make('generate', { styleDnaId: warm, prompt: 'a fox', width: 256, height: 256 });
  for (const [domain, status] of [
    ['style-dna', 200],
    ['artworks-internal', 404],
    ['textcraft', 404],
  ]) {
    const body = { label: 'test', scope: 'manager', domains: [domain] };
    const key = (await call(keys, { method: 'POST', key: service.adminKey, body })).body['apiKey'] as string;
    expect([domain, (await call(`${service.baseUrl}/v2/artworks/${id}`, { key })).status]).toEqual([domain, status]);
  }
});
