/** Uploads: accepted and rejected formats, visibility, and retention. */
import { beforeAll, expect, test } from '@jest/globals';
import { bomb, refusedByHeader, turned, usable } from '../support/pictures.ts';
import { call } from '../support/client.ts';
import { photo } from '../../engines/local/test/photos.ts';
import { expectProblem, rules } from '../support/problem.ts';
import { raw } from '../support/raw.ts';
import { joinService } from '../support/shared.ts';
import { type Service, startFurtherApi } from '../support/stack.ts';
import { storedBytes, storedNames } from '../support/stored-files.ts';
import { openTemporal } from '../support/temporal.ts';

let service: Service;

beforeAll(async () => {
  service = await joinService('quick');
});

function send(bytes: Uint8Array, headers: Record<string, string> = { 'content-type': 'image/jpeg' }, to = service) {
  const authorization = `Bearer ${to.adminKey}`;
  return raw(to.baseUrl, { method: 'POST', path: '/v2/files', headers: { authorization, ...headers }, body: [bytes] });
}

function sendForm(parts: [name: string, value: Uint8Array | string][]) {
  const form = new FormData();
  for (const [name, value] of parts) {
    if (typeof value === 'string') form.append(name, value);
    else form.append(name, new Blob([Buffer.from(value)]), 'a file.bin');
  }
  const headers = { authorization: `Bearer ${service.adminKey}` };
  return fetch(`${service.baseUrl}/v2/files`, { method: 'POST', headers, body: form }).then(async (response) => ({
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Record<string, unknown>,
  }));
}

test('raw and multipart uploads get the same response', async () => {
  const bytes = await photo('coffee');
  const expected = {
    id: expect.stringMatching(/^file_[0-9A-Z]{26}$/),
    contentType: 'image/jpeg',
    width: 600,
    height: 400,
    bytes: bytes.byteLength,
    expiresAt: expect.stringMatching(/Z$/),
  };
  const responses = [
    await send(bytes),
    await send(bytes, { 'content-type': 'application/octet-stream' }),
    await send(bytes, { 'content-type': 'image/png' }),
    await sendForm([['file', bytes]]),
    await sendForm([
      ['note', 'other fields do not matter'],
      ['anything', bytes],
    ]),
  ];
  for (const response of responses) expect([response.status, response.body]).toEqual([201, expected]);
  const { id } = responses[0]!.body as { id: string };
  expect(await storedBytes(service, id, 'original')).toEqual(bytes);
});

test.each(Object.keys(usable))('accepts %s', async (name) => {
  expect((await send(await usable[name]!())).status).toBe(201);
});

test('returns the size of the upright picture', async () => {
  expect((await send(await turned(6))).body).toMatchObject({ width: 80, height: 120 });
});

test.each(Object.keys(refusedByHeader))('rejects %s', async (name) => {
  const response = await send(await refusedByHeader[name]!());
  if (/^(a PNG of|a decompression bomb|a little more|an animated)/.test(name)) {
    expect(rules(expectProblem(response, 'validation_failed'))).toEqual([' image']);
  } else if (name === 'an empty file') expect(rules(expectProblem(response, 'validation_failed'))).toEqual([' file']);
  else expectProblem(response, 'unsupported_media_type');
});

test('returns 413 for more than 20 MB', async () => {
  const large = Buffer.concat([bomb(1000, 1000), Buffer.alloc(20 * 1024 * 1024)]);
  expectProblem(await send(large), 'payload_too_large');
  expectProblem(
    await send(large, { 'content-type': 'image/png', 'transfer-encoding': 'chunked' }),
    'payload_too_large',
  );
  expectProblem(await sendForm([['file', large]]), 'payload_too_large');
});

test('rejects requests without a file', async () => {
  const boundary = { 'content-type': 'multipart/form-data; boundary=x' };
  const part = '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nbegin';
  expectProblem(await send(Buffer.from('{}'), { 'content-type': 'application/json' }), 'unsupported_media_type');
  expectProblem(await send(Buffer.from('x'), {}), 'unsupported_media_type');
  const empty = [
    await sendForm([['note', 'a']]),
    await send(Buffer.from('--x--'), boundary),
    await send(Buffer.from('nonsense'), boundary),
    await send(Buffer.from(part), boundary),
    await send(Buffer.from('x'), { 'content-type': 'multipart/form-data' }),
  ];
  for (const response of empty) expect(rules(expectProblem(response, 'validation_failed'))).toEqual([' file']);
});

test('a file belongs to its organization, and a generator key finds only its own', async () => {
  const { id } = (await send(await photo('chelsea'))).body as { id: string };
  const keys = `${service.baseUrl}/v2/organizations/${service.orgId}/api-keys`;
  const make = async (scope: string) => {
    const body = { label: scope, scope, domains: ['artworks-internal'] };
    return (await call(keys, { method: 'POST', key: service.adminKey, body })).body['apiKey'] as string;
  };
  const use = (key: string) =>
    call(`${service.baseUrl}/v2/artworks/depth-map`, { method: 'POST', key, body: { image: id } });
  expect((await use(service.adminKey)).status).toBe(202);
  expect((await use(await make('manager'))).status).toBe(202);
  expect(rules(expectProblem(await use(await make('generator')), 'validation_failed'))).toEqual(['/image exists']);
});

test('lists, reads and deletes a file; an artwork cannot name it afterwards', async () => {
  const uploaded = (await send(await photo('chelsea'))).body as { id: string };
  const [url, key] = [`${service.baseUrl}/v2/files`, service.adminKey];
  const list = await call<{ items: unknown[]; nextCursor: string }>(`${url}?limit=1`, { key });
  expect(list.body).toEqual({ items: [uploaded], nextCursor: uploaded.id });
  const next = await call<{ items: { id: string }[] }>(`${url}?limit=1&cursor=${uploaded.id}`, { key });
  expect(next.body.items[0]!.id < uploaded.id).toBe(true);
  expectProblem(await call(`${url}?cursor=x`, { key }), 'validation_failed');

  const at = `${url}/${uploaded.id}`;
  expect(await call(at, { key })).toMatchObject({ status: 200, body: uploaded });
  expect((await call(at, { method: 'DELETE', key })).status).toBe(204);
  expect(await storedNames(service, uploaded.id)).toEqual([]);
  for (const method of ['GET', 'DELETE']) expectProblem(await call(at, { method, key }), 'not_found');
  const body = { image: uploaded.id };
  const use = await call(`${service.baseUrl}/v2/artworks/depth-map`, { method: 'POST', key, body });
  expect(rules(expectProblem(use, 'validation_failed'))).toEqual(['/image exists']);
});

test('a workflow purges a file that no request names when its retention ends', async () => {
  const brief = await startFurtherApi(service, { ATELIER_RETENTION: '3s', ATELIER_WEBHOOK_SCHEDULE: '0s' });
  const temporal = await openTemporal(service);
  try {
    const { id } = (await send(await photo('chelsea'), undefined, brief)).body as { id: string };
    expect(await storedNames(service, id)).toEqual(['original']);
    const description = await temporal.client.workflow.getHandle(id).describe();
    expect([description.type, description.status.name]).toEqual(['purgeFile', 'RUNNING']);
    await temporal.client.workflow.getHandle(id).result();
    expect(await storedNames(service, id)).toEqual([]);
    expectProblem(await call(`${service.baseUrl}/v2/files/${id}`, { key: service.adminKey }), 'not_found');
    const body = { image: id };
    const use = await call(`${service.baseUrl}/v2/artworks/depth-map`, { method: 'POST', key: service.adminKey, body });
    expect(rules(expectProblem(use, 'validation_failed'))).toEqual(['/image exists']);
  } finally {
    await temporal.close();
    await brief.stop();
  }
});

test('rejects a form that is broken twice, and the service stays up', async () => {
  const part = 'Content-Disposition: form-data; name="\u0014\u00f4\u0001\n\n: "; filename="a"';
  const bodies = [
    `--b\r\n${part}\r\n\r\nx\r\n--b\r\n${part}\r\n\r\nx\r\n--b--\r\n`,
    `--b\r\n:\r\n\r\nx\r\n--b\r\n:\r\n\r\nx\r\n--b--\r\n`,
    `--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nx\r\n--b\r\n:\r\n\r\nx\r\n--b\r\n:\r\n`,
  ];
  for (const body of bodies) {
    const response = await send(Buffer.from(body, 'latin1'), { 'content-type': 'multipart/form-data; boundary=b' });
    expect([400, 415]).toContain(response.status);
  }
  expect((await call(`${service.baseUrl}/health/live`)).status).toBe(200);
});
