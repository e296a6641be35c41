/** When its retention ends, everything of an artwork goes, whatever it is doing. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { newId } from '../../store/ids.ts';
import { call, create, ended } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { startSharedStack } from '../support/shared.ts';
import type { Stack } from '../support/stack.ts';
import { openTemporal, type TemporalClient } from '../support/temporal.ts';

let stack: Stack;
let receiver: Receiver;
let temporal: TemporalClient;
let database: pg.Client;

beforeAll(async () => {
  [stack, receiver] = await Promise.all([
    startSharedStack({ env: { ATELIER_RETENTION: '6s', ATELIER_WEBHOOK_SCHEDULE: '0s,1h' } }),
    startReceiver((response, _nth, { path }) => void response.writeHead(path.endsWith('no') ? 500 : 200).end()),
  ]);
  temporal = await openTemporal(stack);
  database = new pg.Client(stack.databaseUrl);
  await database.connect();
});
afterAll(async () => {
  await Promise.all([temporal.close(), database.end()]);
  await stack.stop();
  await receiver.close();
});

async function expectGone(id: string): Promise<void> {
  const handle = temporal.client.workflow.getHandle(id);
  await handle.result();
  expect((await handle.describe()).status.name).toBe('COMPLETED');
  expect((await call(`${stack.baseUrl}/v2/artworks/${id}`, { key: stack.adminKey })).status).toBe(404);
  // A worker that was taken for dead may still be removing what it has just written.
  await eventually(async () => {
    expect(await readdir(join(stack.dataFolder, 'images')).catch(() => [])).not.toContain(id);
  });
  for (const [table, column] of Object.entries({
    artwork: 'id',
    image: 'artwork_id',
    delivery: 'artwork_id',
    call_result: 'artwork_id',
  })) {
    const { rowCount } = await database.query(`select from ${table} where ${column} = $1`, [id]);
    expect({ table, rowCount }).toEqual({ table, rowCount: 0 });
  }
}

const small = { prompt: 'a boat', width: 256, height: 256 };

test('after its retention nothing is left', async () => {
  const { id } = await create(stack, { ...small, webhookUrl: receiver.url });
  const artwork = await ended(stack, id);
  const { url } = artwork.images[0]!;
  expect((await fetch(url)).status).toBe(200);
  await receiver.until(id);
  await eventually(async () => {
    expect((await call(`${stack.baseUrl}/v2/artworks/${id}`, { key: stack.adminKey })).status).toBe(404);
  });
  expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(artwork.expiresAt));
  await expectGone(id);
  expect((await fetch(url)).status).toBe(404);
});

test('an event that waits for its next try is given up', async () => {
  const { id } = await create(stack, { ...small, webhookUrl: `${receiver.url}/no` });
  await receiver.until(id);
  await expectGone(id);
  expect(receiver.received.filter(({ event }) => event.id === id)).toHaveLength(1);
});

test('pictures that are still being drawn are given up', async () => {
  const body = { prompt: 'a boat on a lake', width: 2048, height: 2048, numImages: 4, webhookUrl: receiver.url };
  const made = await Promise.all([create(stack, body), create(stack, body)]);
  for (const { id } of made) await expectGone(id);
  const events = receiver.received.filter(({ event }) => made.some(({ id }) => id === event.id));
  // Nobody hears of an artwork that did not end.
  expect(events.every(({ event }) => event['status'] === 'SUCCEEDED')).toBe(true);
});

test('a canceled artwork is kept until its retention ends, and then goes too', async () => {
  const { id } = await create(stack, { ...small, width: 2048, height: 2048, numImages: 4 });
  await call(`${stack.baseUrl}/v2/artworks/${id}/cancel`, { method: 'POST', key: stack.adminKey });
  const artwork = await ended(stack, id);
  expect(artwork.status).toBe('CANCELED');
  await expectGone(id);
  expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(artwork.expiresAt));
});

test('the claim of a request that was never stored ends with its retention, too', async () => {
  const id = newId('art');
  const names = { id, orgId: stack.orgId, keyId: 'key_nobody', operation: 'selena' };
  const input = { ...names, expiresAt: Date.now() + 9000, schedule: [0] };
  const options = { workflowId: id, taskQueue: stack.taskQueue, args: [input] };
  const handle = await temporal.client.workflow.start('artwork', options);
  await handle.result();
  const { rowCount } = await database.query('select from artwork where id = $1', [id]);
  expect(rowCount).toBe(0);
});
