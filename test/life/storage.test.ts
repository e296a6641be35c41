/** A storage that fails when an artwork is to go: its purge is tried again until everything is gone. */
import { existsSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, afterEach, expect, test } from '@jest/globals';
import pg from 'pg';
import { call, create, ended } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { leavings, nothing } from '../support/leavings.ts';
import { startSharedStack } from '../support/shared.ts';
import type { Stack } from '../support/stack.ts';
import { openTemporal, type TemporalClient } from '../support/temporal.ts';

let stack: Stack;
let temporal: TemporalClient;
let sql: pg.Client;
let images: string;

beforeAll(async () => {
  stack = await startSharedStack({ workerEntry: 'bench/instant.ts', env: { ATELIER_RETENTION: '6s' } });
  temporal = await openTemporal(stack);
  sql = new pg.Client(stack.databaseUrl);
  await sql.connect();
  images = join(stack.dataFolder, 'images');
});
afterAll(async () => {
  await Promise.all([temporal.close(), sql.end()]);
  await stack.stop();
});

let id: string;

beforeEach(async () => {
  ({ id } = await create(stack, { prompt: 'a boat', width: 256, height: 256 }));
  await ended(stack, id);
  // Nobody can reach what is inside, nor remove it: not root either, whom no permission holds back.
  await rename(images, `${images}-away`);
  await writeFile(images, 'no folder');
});
afterEach(mend);

async function mend(): Promise<void> {
  if (!existsSync(`${images}-away`)) return;
  await rm(images);
  await rename(`${images}-away`, images);
}

/** Its folder, wherever it is now. */
const isOnDisk = () => existsSync(join(`${images}-away`, id)) || existsSync(join(images, id));
const handle = () => temporal.client.workflow.getHandle(id);

async function expectGoneAfterMending(): Promise<void> {
  expect((await handle().describe()).status.name).toBe('RUNNING');
  expect(isOnDisk()).toBe(true);
  await mend();
  await handle().result();
  expect(await leavings(stack, sql, id)).toEqual(nothing);
  expect(isOnDisk()).toBe(false);
}

test('at the end of its retention', async () => {
  await eventually(async () => {
    const { events } = await handle().fetchHistory();
    // The first tries run inside the workflow task; then timers separate them.
    expect(events!.filter(({ timerStartedEventAttributes: timer }) => timer).length).toBeGreaterThan(1);
  }, 40_000);
  // A row is left to come back to, which nobody can read any more.
  const { rows } = await leavings(stack, sql, id);
  expect(rows['artwork']).toBe(1);
  const url = `${stack.baseUrl}/v2/artworks/${id}`;
  expect((await call(url, { key: stack.adminKey })).status).toBe(404);
  await expectGoneAfterMending();
});

test('when it is deleted: hidden at once, and gone when the storage is back', async () => {
  const url = `${stack.baseUrl}/v2/artworks/${id}`;
  expect((await call(url, { method: 'DELETE', key: stack.adminKey })).status).toBe(204);
  expect((await call(url, { key: stack.adminKey })).status).toBe(404);
  await eventually(async () => {
    const { events } = await handle().fetchHistory();
    expect(events!.filter(({ timerStartedEventAttributes: timer }) => timer).length).toBeGreaterThan(1);
  }, 40_000);
  await expectGoneAfterMending();
});
