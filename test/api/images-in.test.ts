/** Images in requests: an error found before the 202 is a 400 that names the field; a later error fails the artwork. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { call, create, ended } from '../support/client.ts';
import { bomb, damaged, refusedByHeader, turned } from '../support/pictures.ts';
import { eventually } from '../support/eventually.ts';
import { dataUri, photo } from '../../engines/local/test/photos.ts';
import { expectProblem, rules } from '../support/problem.ts';
import { joinService } from '../support/shared.ts';
import type { Service } from '../support/stack.ts';
import { storedBytes, storedNames } from '../support/stored-files.ts';
import { openTemporal } from '../support/temporal.ts';

let service: Service;
let server: Server;
let at: (path: string) => string;
const pages: Record<string, Buffer> = {};

beforeAll(async () => {
  service = await joinService('quick');
  server = createServer((request, response) => {
    const page = pages[request.url!];
    response.writeHead(page ? 200 : 404).end(page);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  at = (path) => `http://127.0.0.1:${port}${path}`;
});
afterAll(() => void server.close());

const post = (operation: string, body: object) =>
  call(`${service.baseUrl}/v2/artworks/${operation}`, { method: 'POST', key: service.adminKey, body });

test.each([
  ['http://example.com/a.png', 'must be an https URL'],
  ['https://10.0.0.1/a.png', 'private or reserved'],
  ['https://0x0a.1/a.png', 'private or reserved'],
  ['https://metadata.internal/a.png', 'private network'],
  ['https://user:secret@example.com/a.png', 'user name'],
  ['ftp://example.com/a.png', 'must be an https URL, a data URI'],
  ['/etc/passwd', 'must be an https URL, a data URI'],
  ['data:image/png,notbase64', 'must be an https URL, a data URI'],
  ['sha256:00', 'must be an https URL, a data URI'],
  ['', 'must be an https URL, a data URI'],
  [`https://example.com/${'a'.repeat(2100)}`, 'characters'],
])('rejects the image address %.60s', async (image, words) => {
  const response = await post('depth-map', { image });
  const [failure] = expectProblem(response, 'validation_failed');
  expect(failure).toMatchObject({ path: '/image', rule: 'format', message: expect.stringContaining(words) });
});

test.each(Object.keys(refusedByHeader))('rejects %s in a data URI', async (name) => {
  const image = dataUri(await refusedByHeader[name]!());
  expect(rules(expectProblem(await post('depth-map', { image }), 'validation_failed'))).toEqual(['/image image']);
});

test.each([
  ['data:image/png;base64,', 'image'],
  ['data:image/png;base64,@@@@', 'base64'],
  ['data:image/png;base64,iVBORw0KGgo', 'image'],
  [`data:image/png;base64,${'A'.repeat(28_100_000)}`, 'maxBytes'],
  [`data:image/png;base64,${'='.repeat(20_000_000)}A`, 'base64'],
  ['data:image/png;base64,AAAA====', 'base64'],
  ['data:image/png;base64,AA==', 'image'],
])('rejects the data URI %.40s', async (image, rule) => {
  expect(rules(expectProblem(await post('depth-map', { image }), 'validation_failed'))).toEqual([`/image ${rule}`]);
});

test('names all errors at once: of the schema and of every image', async () => {
  const body = { sourceImage: 'data:image/png;base64,AAAA', targetImage: 'file_01KAJ3V8C0Q5M2X7ZB4N9TDWEH', nsfw: 1 };
  expect(rules(expectProblem(await post('face-swap', body), 'validation_failed'))).toEqual([
    '/nsfw type',
    '/sourceImage image',
    '/targetImage exists',
  ]);
});

test('names errors of the image size together with errors of other fields', async () => {
  const image = dataUri(bomb(4001, 4000));
  const webhookUrl = 'http://10.0.0.1/';
  const cases: [body: object, query: string, ...expected: string[]][] = [
    [{ scale: 2, size: 'big' }, '', '/scale size', '/size additionalProperties'],
    [{ scale: 2, webhookUrl, metadata: { a: 1 } }, '', '/metadata/a type', '/scale size', '/webhookUrl format'],
    [{ scale: 2 }, '?dryRun=yes', '/dryRun enum', '/scale size'],
    [{ scale: 3 }, '', '/scale enum'],
    [{ scale: null, outputFormat: [] }, '', '/outputFormat enum', '/scale enum'],
  ];
  for (const [fields, query, ...expected] of cases) {
    const response = await post(`upscaling${query}`, { image, ...fields });
    expect(rules(expectProblem(response, 'validation_failed'))).toEqual(expected);
  }
  const unknown = Object.fromEntries(Array.from({ length: 120 }, (_, index) => [`f${index}`, 1]));
  const response = await post('segmentation', { ...unknown, image, points: 'none' });
  expect(expectProblem(response, 'validation_failed')).toHaveLength(100);
});

test('reads no image of a list that is too long', async () => {
  const images = Array.from({ length: 1900 }, () => 'file_01KAJ3V8C0Q5M2X7ZB4N9TDWEH');
  const body = { name: 'a', images };
  const response = await call(`${service.baseUrl}/v2/style-dna/generate-anchor`, {
    method: 'POST',
    key: service.adminKey,
    body,
  });
  expect(rules(expectProblem(response, 'validation_failed'))).toEqual(['/images maxItems']);
});

test('rejects a result that would be too large when the size is known', async () => {
  const image = dataUri(bomb(4001, 4000));
  expect(rules(expectProblem(await post('upscaling', { image, scale: 2 }), 'validation_failed'))).toEqual([
    '/scale size',
  ]);
  const upload = await fetch(`${service.baseUrl}/v2/files`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.adminKey}`, 'content-type': 'image/png' },
    body: new Uint8Array(bomb(2500, 2000)),
  });
  const { id } = (await upload.json()) as { id: string };
  const response = await post('detailer-upscaler', { image: id, scale: 4 });
  expect(rules(expectProblem(response, 'validation_failed'))).toEqual(['/scale size']);
});

test('segmentation requires prompts or points, at least one point on the object, and all points in the image', async () => {
  const image = dataUri(await photo('chelsea'));
  const on = { x: 1, y: 1, label: 1 };
  const refused: [object, string][] = [
    [{}, '/prompts required'],
    [{ prompts: ['cat'], points: [on] }, '/points exclusive'],
    [{ points: [{ ...on, label: 0 }] }, '/points contains'],
    [{ points: [on, { x: 451, y: 0, label: 0 }] }, '/points/1 size'],
    [{ points: [{ ...on, x: -1 }] }, '/points/0/x minimum'],
    [{ prompts: [] }, '/prompts minItems'],
  ];
  for (const [fields, failure] of refused) {
    const response = await post('segmentation', { image, ...fields });
    expect(rules(expectProblem(response, 'validation_failed'))).toContain(failure);
  }
});

test('remove-background cannot return a JPEG', async () => {
  const response = await post('remove-background', { image: at('/x'), outputFormat: 'jpeg' });
  expect(rules(expectProblem(response, 'validation_failed'))).toEqual(['/outputFormat combination']);
});

test.each(Object.keys(damaged))('%s makes the artwork fail with input_invalid', async (name) => {
  const { id } = await create(service, { image: dataUri(await damaged[name]!()) }, 'depth-map');
  const artwork = await ended(service, id);
  expect(artwork).toMatchObject({ status: 'FAILED', errorCode: 'input_invalid', error: { status: 422 }, images: [] });
  expect(artwork.error!.message).toMatch(/^The image in "image" /);
});

test.each(Object.keys(refusedByHeader))('%s behind a URL makes the artwork fail with input_invalid', async (name) => {
  const path = `/${Object.keys(refusedByHeader).indexOf(name)}`;
  pages[path] = await refusedByHeader[name]!();
  const { id } = await create(service, { image: at(path) }, 'depth-map');
  expect(await ended(service, id)).toMatchObject({ status: 'FAILED', errorCode: 'input_invalid' });
});

test('input_unreachable names the field and the reason', async () => {
  const { id } = await create(service, { sourceImage: at('/nothing'), targetImage: at('/nothing') }, 'face-swap');
  const { errorCode, error } = await ended(service, id);
  expect([errorCode, error]).toEqual([
    'input_unreachable',
    {
      status: 422,
      message: expect.stringMatching(
        /^The image in "(source|target)Image" could not be fetched: the server responded with 404/,
      ),
    },
  ]);
});

test('rejects an unknown file id', async () => {
  for (const image of ['file_doesnotexist', 'file_01KAJ3V8C0Q5M2X7ZB4N9TDWEH']) {
    expect(rules(expectProblem(await post('depth-map', { image }), 'validation_failed'))).toEqual(['/image exists']);
  }
});

test('rejects a format that cannot hold the size when the size is known', async () => {
  const wide = dataUri(bomb(17_000, 64));
  for (const [operation, body] of [
    ['depth-map', {}],
    ['photo-pilot', { instruction: 'brighter' }],
    ['selena-variete', {}],
    ['upscaling', {}],
  ] as const) {
    const response = await post(operation, { ...body, image: wide, outputFormat: 'webp' });
    expect(rules(expectProblem(response, 'validation_failed'))).toEqual(['/outputFormat size']);
  }
});

test('a result that turns out too large makes the artwork fail with input_invalid', async () => {
  const body = { image: dataUri(bomb(17_000, 64)), instruction: 'rotate 45 degrees', nsfw: true };
  const drawing = await joinService('embedded');
  const { id } = await create(drawing, body, 'photo-pilot');
  const { errorCode, error } = await ended(drawing, id);
  expect([errorCode, error]).toEqual([
    'input_invalid',
    { status: 422, message: expect.stringContaining('64 megapixels') },
  ]);
});

test('an error message quotes the instruction, the history does not; the original image is deleted', async () => {
  const drawing = await joinService('embedded');
  const image = dataUri(await turned(6));
  const { id } = await create(drawing, { image, instruction: 'write zanzibar on it' }, 'photo-pilot');
  expect((await ended(drawing, id)).error!.message).toContain('zanzibar');
  const temporal = await openTemporal(drawing);
  const { events } = await temporal.client.workflow.getHandle(id).fetchHistory();
  await temporal.close();
  const payloads = JSON.stringify(events, (_key, value: unknown) =>
    value instanceof Uint8Array ? Buffer.from(value).toString() : value,
  );
  expect(payloads).toContain('input_invalid');
  expect(payloads).not.toContain('zanzibar');
  await eventually(async () =>
    expect((await storedNames(drawing, id)).every((name) => name.startsWith('image-1.'))).toBe(true),
  );
  for (const name of await storedNames(drawing, id)) {
    expect((await storedBytes(drawing, id, name)).includes('GPS')).toBe(false);
  }
});

test('an artwork shows an input image as a reference, never as bytes', async () => {
  const bytes = await photo('chelsea');
  pages['/chelsea.jpg'] = bytes;
  const upload = await fetch(`${service.baseUrl}/v2/files`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.adminKey}`, 'content-type': 'image/jpeg' },
    body: new Uint8Array(bytes),
  });
  const { id: file } = (await upload.json()) as { id: string };
  for (const [image, echo] of [
    [at('/chelsea.jpg'), at('/chelsea.jpg')],
    [file, file],
    [dataUri(bytes), expect.stringMatching(/^sha256:[0-9a-f]{64}$/)],
  ]) {
    const { id } = await create(service, { image, instruction: 'brighter' }, 'photo-pilot');
    const artwork = await ended(service, id);
    expect(artwork.input['image']).toEqual(echo);
    expect(artwork).toMatchObject({ status: 'SUCCEEDED', images: [{ width: 451, height: 300, role: 'image' }] });
    expect(artwork.images).toHaveLength(1);
  }
});
