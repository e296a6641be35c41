/** `Prefer: wait=N` on a creation. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { preferredWait } from '../../services/wait.ts';
import { call, create, ended } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { startSharedStack } from '../support/shared.ts';
import type { Stack } from '../support/stack.ts';

let stack: Stack;

beforeAll(async () => {
  stack = await startSharedStack();
});
afterAll(() => stack.stop());

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
  call(`${stack.baseUrl}/v2/artworks/selena`, {
    method: 'POST',
    key: stack.adminKey,
    body: { ...body, prompt },
    headers: { prefer },
  });

test('in time: 200 with the artwork as it is read', async () => {
  const answer = await post('wait=30', 'a kite');
  expect(answer.status).toBe(200);
  expect(answer.body).toMatchObject({ status: 'SUCCEEDED', prompt: 'a kite', images: [{ width: 256 }] });
  expect(answer.headers.get('location')).toBe(`/v2/artworks/${String(answer.body['id'])}`);
  expect(answer.body).toEqual(await ended(stack, String(answer.body['id'])));
});

test('not in time: the 202, and the artwork goes on', async () => {
  // They keep the engine busy for longer than a second.
  const before = Array.from({ length: 12 }, () => create(stack, { prompt: 'a forest', numImages: 1 }));
  await Promise.all(before);
  const answer = await post('wait=1', 'a late kite');
  expect(answer.status).toBe(202);
  expect(answer.body).toMatchObject({ status: 'STARTING' });
  expect(await ended(stack, String(answer.body['id']), 200_000)).toMatchObject({ status: 'SUCCEEDED' });
}, 240_000);

test('one that is removed meanwhile is not waited for', async () => {
  const sql = new pg.Client(stack.databaseUrl);
  await sql.connect();
  // Large, so that it is still being made when it is removed.
  const large = { prompt: 'a kite that flies away', width: 2048, height: 2048, numImages: 4 };
  const url = `${stack.baseUrl}/v2/artworks/selena`;
  const waiting = call(url, { method: 'POST', key: stack.adminKey, body: large, headers: { prefer: 'wait=60' } });
  const began = Date.now();
  await eventually(async () => {
    const { rowCount } = await sql.query(
      `delete from artwork where prompt = 'a kite that flies away' and finished_at is null`,
    );
    expect(rowCount).toBe(1);
  });
  await sql.end();
  expect((await waiting).status).toBe(202);
  expect(Date.now() - began).toBeLessThan(45_000);
});
