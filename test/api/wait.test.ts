/** `Prefer: wait=N` on a creation. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { preferredWait } from '../../services/wait-for-artwork.ts';
import { call, ended } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { photo } from '../../engines/local/test/photos.ts';
import { joinService } from '../support/shared.ts';
import type { Service } from '../support/stack.ts';

let service: Service;

beforeAll(async () => {
  service = await joinService('quick');
});

test.each([
  [undefined, 0],
  ['', 0],
  ['wait=5', 5],
  ['respond-async, wait=10', 10],
  ['wait = "7"; foo=bar', 7],
  ['WAIT=3', 3],
  ['wait=61', 60],
  ['wait=999999', 60],
  ['wait=0', 0],
  ['wait=-1', 0],
  ['wait=1.5', 0],
  ['wait=soon', 0],
  ['await=5', 0],
])('%j waits for %d s', (header, seconds) => expect(preferredWait(header)).toBe(seconds));

const body = { prompt: 'a kite', width: 256, height: 256 };
const post = (prefer: string, prompt: string) =>
  call(`${service.baseUrl}/v2/artworks/selena`, {
    method: 'POST',
    key: service.adminKey,
    body: { ...body, prompt },
    headers: { prefer },
  });

test('returns 200 with the finished artwork when it ends in time', async () => {
  const response = await post('wait=30', 'a kite');
  expect(response.status).toBe(200);
  expect(response.body).toMatchObject({ status: 'SUCCEEDED', prompt: 'a kite', images: [{ width: 256 }] });
  expect(response.headers.get('location')).toBe(`/v2/artworks/${String(response.body['id'])}`);
  expect(response.body).toEqual(await ended(service, String(response.body['id'])));
});

/** Requests an edit of an image that its server withholds until `release`, so that the artwork takes as long. */
async function withheld(prefer: string) {
  const bytes = await photo('chelsea');
  const waiting: ServerResponse[] = [];
  const server = createServer((_request, response) => void waiting.push(response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const image = `http://127.0.0.1:${(server.address() as AddressInfo).port}/chelsea.jpg`;
  return {
    accepted: call(`${service.baseUrl}/v2/artworks/photo-pilot`, {
      method: 'POST',
      key: service.adminKey,
      body: { image, instruction: 'brighter' },
      headers: { prefer },
    }),
    requested: () => eventually(() => expect(waiting).not.toEqual([])),
    async release() {
      waiting.forEach((response) => response.end(bytes));
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

test('returns the 202 when the wait is over, and the artwork continues', async () => {
  const { accepted, requested, release } = await withheld('wait=1');
  const response = await accepted;
  expect(response.status).toBe(202);
  expect(response.body).toMatchObject({ status: 'STARTING' });
  await requested();
  await release();
  expect(await ended(service, String(response.body['id']))).toMatchObject({ status: 'SUCCEEDED' });
});

test('stops waiting for an artwork that is deleted', async () => {
  const { accepted, requested, release } = await withheld('wait=60');
  const began = Date.now();
  await requested();
  const sql = new pg.Client(service.databaseUrl);
  await sql.connect();
  const { rowCount } = await sql.query('delete from artwork where org_id = $1 and finished_at is null', [
    service.orgId,
  ]);
  await sql.end();
  expect(rowCount).toBe(1);
  expect((await accepted).status).toBe(202);
  expect(Date.now() - began).toBeLessThan(45_000);
  await release();
});
