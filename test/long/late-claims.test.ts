/** A worker that was frozen claims the id of an artwork whose workflow has ended; the claim is purged at its expiry. */
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { call, create, read } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { freeze } from '../support/freeze.ts';
import { startSharedStack } from '../support/shared.ts';
import type { Stack } from '../support/stack.ts';
import { openTemporal, type TemporalClient } from '../support/temporal.ts';

jest.setTimeout(240_000);

let stack: Stack;
let temporal: TemporalClient;
let sql: pg.Client;

beforeAll(async () => {
  stack = await startSharedStack({
    workers: 2,
    env: { ATELIER_RETENTION: '45 s', ATELIER_WEBHOOK_SCHEDULE: '0s' },
  });
  temporal = await openTemporal(stack);
  sql = new pg.Client(stack.databaseUrl);
  await sql.connect();
});
afterAll(async () => {
  await Promise.all([temporal.close(), sql.end()]);
  await stack.stop();
});

/** Returns the status in the row of an artwork; undefined without a row. */
async function storedStatus(id: string): Promise<string | undefined> {
  const { rows } = await sql.query<{ status: string }>('select status from artwork where id = $1', [id]);
  return rows[0]?.status;
}

/** Creates artworks until the frozen worker has received one. Returns its id. */
async function createForFrozenWorker(): Promise<string> {
  for (let attempt = 0; attempt < 50; attempt++) {
    const { id } = await create(stack, { prompt: 'a boat', width: 256, height: 256 });
    await sleep(500);
    if ((await read(stack, id)).status === 'STARTING') return id;
  }
  throw new Error('The frozen worker received no workflow task');
}

test('a claim of a worker that was frozen is purged when it has expired', async () => {
  const resume = freeze(stack.workers[1]!.pid);
  const id = await createForFrozenWorker();
  const removed = await call(`${stack.baseUrl}/v2/artworks/${id}`, { method: 'DELETE', key: stack.adminKey });
  expect(removed.status).toBe(204);
  // The other worker takes over the workflow, which purges the artwork and ends.
  await eventually(async () => expect(await storedStatus(id)).toBeUndefined());
  await eventually(async () =>
    expect((await temporal.client.workflow.getHandle(id).describe()).status.name).toBe('COMPLETED'),
  );
  resume();
  await eventually(async () => expect(await storedStatus(id)).toBe('ABANDONED'));
  await eventually(async () => expect(await storedStatus(id)).toBeUndefined(), 120_000);
});
