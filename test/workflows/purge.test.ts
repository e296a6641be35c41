/** Everything that belongs to an artwork is deleted when its retention ends, in any status and even if the storage fails. */
import { existsSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import pg from 'pg';
import { newId } from '../../store/ids.ts';
import { call, create, ended } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { findRemains, nothing } from '../support/remains.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { startSharedStack } from '../support/shared.ts';
import type { Stack } from '../support/stack.ts';
import { openTemporal, type TemporalClient } from '../support/temporal.ts';
import { endless, timed } from '../support/timed.ts';

// These tests start processes, which takes long on a busy machine.
jest.setTimeout(180_000);

let stack: Stack;
let receiver: Receiver;
let temporal: TemporalClient;
let database: pg.Client;
let images: string;

beforeAll(async () => {
  const env = { ATELIER_RETENTION: '6s', ATELIER_WEBHOOK_SCHEDULE: '0s,1s' };
  [stack, receiver] = await Promise.all([
    startSharedStack(timed({ selena: 0, hamilton: endless }, env)),
    startReceiver((response, _nth, { path }) => {
      if (path.endsWith('later')) response.writeHead(503, { 'retry-after': '3600' }).end();
      else response.end();
    }),
  ]);
  temporal = await openTemporal(stack);
  database = new pg.Client(stack.databaseUrl);
  await database.connect();
  images = join(stack.dataFolder, 'images');
});
afterAll(async () => {
  await Promise.all([temporal.close(), database.end()]);
  await stack.stop();
  await receiver.close();
});

const handleOf = (id: string) => temporal.client.workflow.getHandle(id);
const at = (id: string, method = 'GET') =>
  call(`${stack.baseUrl}/v2/artworks/${id}`, { method, key: stack.adminKey }).then(({ status }) => status);

async function expectGone(id: string): Promise<void> {
  await handleOf(id).result();
  expect((await handleOf(id).describe()).status.name).toBe('COMPLETED');
  expect(await at(id)).toBe(404);
  // A worker that counted as dead may still be removing files that it has just written.
  await eventually(async () => expect(await findRemains(stack, database, id)).toEqual(nothing));
}

const small = { prompt: 'a boat', width: 256, height: 256 };

test.concurrent('deletes everything at the end of the retention', async () => {
  const { id } = await create(stack, { ...small, webhookUrl: receiver.url });
  const artwork = await ended(stack, id);
  const { url } = artwork.images[0]!;
  expect((await fetch(url)).status).toBe(200);
  await receiver.until(id);
  await eventually(async () => expect(await at(id)).toBe(404));
  expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(artwork.expiresAt));
  await expectGone(id);
  expect((await fetch(url)).status).toBe(404);
});

test.concurrent('stops delivering an event that waits for its next attempt', async () => {
  const { id } = await create(stack, { ...small, webhookUrl: `${receiver.url}/later` });
  await receiver.until(id);
  await expectGone(id);
  expect(receiver.received.filter(({ event }) => event.id === id)).toHaveLength(1);
});

test.concurrent('cancels calls that are still running, and sends no event', async () => {
  const body = { ...small, numImages: 4, webhookUrl: receiver.url };
  const made = await Promise.all([create(stack, body, 'hamilton'), create(stack, body, 'hamilton')]);
  for (const { id } of made) await expectGone(id);
  expect(receiver.received.filter(({ event }) => made.some(({ id }) => id === event.id))).toEqual([]);
});

test.concurrent('a canceled artwork is kept until its retention ends, and then deleted, too', async () => {
  const { id } = await create(stack, { ...small, numImages: 4 }, 'hamilton');
  await call(`${stack.baseUrl}/v2/artworks/${id}/cancel`, { method: 'POST', key: stack.adminKey });
  const artwork = await ended(stack, id);
  expect(artwork.status).toBe('CANCELED');
  await expectGone(id);
  expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(artwork.expiresAt));
});

/** Starts the workflow of a request that was never stored. */
function startWithoutRow(expiresAt: number) {
  const id = newId('art');
  const input = { id, orgId: stack.orgId, keyId: 'key_nobody', operation: 'selena', expiresAt, schedule: [0] };
  return temporal.client.workflow.start('artwork', { workflowId: id, taskQueue: stack.taskQueue, args: [input] });
}

test.concurrent('the claim of a request that was never stored ends with its retention', async () => {
  const handle = await startWithoutRow(Date.now() + 9000);
  await handle.result();
  const { rowCount } = await database.query('select from artwork where id = $1', [handle.workflowId]);
  expect(rowCount).toBe(0);
});

test.concurrent('the claim of a request that was never stored ends after an hour', async () => {
  const handle = await startWithoutRow(Date.now() + 8 * 86_400_000);
  const timer = await eventually(async () => {
    const { events } = await handle.fetchHistory();
    const started = events?.find(({ timerStartedEventAttributes }) => timerStartedEventAttributes);
    expect(started).toBeDefined();
    return started!.timerStartedEventAttributes!.startToFireTimeout!;
  }, 30_000);
  expect(Number(timer.seconds)).toBe(3600);
  await handle.terminate('the test is done');
});

const away = () => `${images}-away`;

/** Makes the files unreachable, also for root, to whom file permissions do not apply. */
async function breakStorage(): Promise<void> {
  await rename(images, away());
  await writeFile(images, 'no folder');
}

async function repairStorage(): Promise<void> {
  if (!existsSync(away())) return;
  await rm(images);
  await rename(away(), images);
}
afterEach(repairStorage);

test('while the storage fails, artworks are hidden at once, and purged when the storage works again', async () => {
  const ids = await Promise.all(Array.from({ length: 2 }, async () => (await create(stack, small)).id));
  const [expiring = '', deleted = ''] = ids;
  for (const id of ids) expect((await ended(stack, id)).status).toBe('SUCCEEDED');
  await breakStorage();
  expect(await at(deleted, 'DELETE')).toBe(204);
  expect(await at(deleted)).toBe(404);
  for (const id of ids) {
    await eventually(async () => {
      const { events } = await handleOf(id).fetchHistory();
      // The first attempts run inside the workflow task; then timers separate them.
      expect(events!.filter(({ timerStartedEventAttributes: timer }) => timer).length).toBeGreaterThan(1);
    }, 40_000);
  }
  // Its row stays, so that the purge finds it again, but no client can read it any more.
  expect((await findRemains(stack, database, expiring)).rows['artwork']).toBe(1);
  expect(await at(expiring)).toBe(404);
  for (const id of ids) {
    expect((await handleOf(id).describe()).status.name).toBe('RUNNING');
    expect(existsSync(join(away(), id))).toBe(true);
  }
  await repairStorage();
  for (const id of ids) {
    await expectGone(id);
    expect(existsSync(join(images, id))).toBe(false);
  }
});
