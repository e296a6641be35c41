/** Checks from outside that a restored service has lost nothing of a backup: artworks, events, images, credits, purges. */
import { createHash } from 'node:crypto';
import { expect } from '@jest/globals';
import pg from 'pg';
import { verifyWebhook } from '../../clients/verify-webhook.ts';
import { openAccounts } from './accounts.ts';
import { call, ended } from './client.ts';
import {
  type Client,
  createOnce,
  type DrillArtworks,
  postOnce,
  type Request,
  type Surroundings,
} from './drill-artworks.ts';
import { eventually } from './eventually.ts';
import { expectNoFailedTask } from './failed-tasks.ts';
import { expectNothingLost } from './nothing-lost.ts';
import type { Receiver } from './receiver.ts';
import { findRemains, nothing } from './remains.ts';
import { price } from './restore-drill.ts';
import type { Stack } from './stack.ts';
import { openTemporal } from './temporal.ts';
import type { TestKey } from './test-key.ts';

export interface Backup {
  made: DrillArtworks;
  /** Every artwork that was accepted before the backup, except for brief ones. */
  ids: readonly string[];
  /** Created after the backup. */
  lost: readonly Request[];
  /** Epoch milliseconds of the backup's state. */
  moment: number;
  /** Epoch milliseconds at which everything was lost. */
  lostAt: number;
}

/** Milliseconds. A busy machine may take long. */
const timeout = 60_000;

export async function expectRestored(stack: Stack, surroundings: Surroundings, backup: Backup): Promise<void> {
  const { client, key, receiver, provider } = surroundings;
  const { made, ids, lost } = backup;
  for (const id of ids) await expectOneEnd(stack, client, receiver, id, backup);
  const special = [made.refused, made.encoded.id];
  const others = ids.filter((id) => !special.includes(id));
  const keyed = { ...stack, adminKey: client.adminKey };
  // A worker may have died between the response of a receiver and its record.
  await expectNothingLost(keyed, receiver, others, { deliveries: 2 });
  await expectNothingLost(keyed, receiver, [made.encoded.id], { deliveries: 2, images: 0 });
  await expectDelivered(client, made.refused);
  const submissions = provider.requests.filter(({ body }) => JSON.stringify(body ?? '').includes(made.waiting.prompt));
  expect(submissions).toHaveLength(1);
  const style = await call(`${client.baseUrl}/v2/style-dna/${made.encoded.styleDnaId}`, { key: client.adminKey });
  expect(style).toMatchObject({ status: 200, body: { name: 'blue' } });
  const repeated = await postOnce(client, made.delivered);
  expect(repeated).toMatchObject({ status: 202, body: { id: made.delivered.id } });
  expect(repeated.headers.get('idempotency-replayed')).toBe('true');
  await expectLedger(stack, key, backup);
  for (const request of lost) await expectLost(client, request);
  await expectPurged(stack, made);
  await expectSoundWorkflows(stack, ids);
}

/** Expects one end, one event with one signature's bytes, and readable images. */
async function expectOneEnd(stack: Stack, client: Client, receiver: Receiver, id: string, backup: Backup) {
  const artwork = await ended(client, id, timeout);
  expect({ id, status: artwork.status }).toEqual({ id, status: 'SUCCEEDED' });
  await receiver.until(id);
  const { eventId } = await eventOf(stack, id);
  // An artwork that ended between the backup and the loss has ended again, with another event.
  const isEndedAgain = Date.parse(artwork.finishedAt ?? '') > backup.lostAt;
  const isOfLostTime = ({ at, event }: Receiver['received'][number]) =>
    isEndedAgain && event.id === id && at >= backup.moment && at <= backup.lostAt && event.eventId !== eventId;
  for (const one of receiver.received.filter(isOfLostTime)) receiver.received.splice(receiver.received.indexOf(one), 1);
  const received = await receiver.until(id, 1, timeout);
  expect(new Set(received.map(({ event }) => event.eventId))).toEqual(new Set([eventId]));
  expect(new Set(received.map(({ raw }) => raw.toString())).size).toBe(1);
  for (const { raw, headers } of received) await verifyWebhook(raw, headers, stack.webhookSecret);
  for (const { url, sha256 } of artwork.images) {
    const bytes = Buffer.from(await (await fetch(url)).arrayBuffer());
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(sha256);
  }
}

async function eventOf({ databaseUrl }: Stack, id: string): Promise<{ eventId: string }> {
  return withSql(databaseUrl, async (sql) => {
    const { rows } = await sql.query<{ eventId: string }>('select event_id as "eventId" from artwork where id = $1', [
      id,
    ]);
    return rows[0] ?? { eventId: '' };
  });
}

/** Expects that the last attempt has delivered the event, and that it is recorded. */
export async function expectDelivered({ baseUrl, adminKey }: Client, id: string): Promise<void> {
  await eventually(async () => {
    const { body } = await call<{ items: { status: number | null }[] }>(`${baseUrl}/v2/artworks/${id}/deliveries`, {
      key: adminKey,
    });
    expect(body.items.map(({ status }) => status).at(-1)).toBe(200);
  }, timeout);
}

/** Expects that artworks of the backup are paid for once, and that later ones have left no entries. */
async function expectLedger(stack: Stack, key: TestKey, { made, lost }: Backup): Promise<void> {
  const accounts = await openAccounts(stack);
  try {
    const paid = [`charge -${price}`, `release ${price}`, `reserve -${price}`];
    for (const id of [made.delivered.id, made.waiting.id]) expect(await accounts.entries(key, id)).toEqual(paid);
    for (const { id } of lost) expect(await accounts.entries(key, id)).toEqual([]);
    await accounts.expectConsistent();
  } finally {
    await accounts.close();
  }
}

/** Expects that an artwork is gone, and that its client gets a new one by repeating its request. */
async function expectLost(client: Client, { id, key, body }: Request): Promise<void> {
  expect((await call(`${client.baseUrl}/v2/artworks/${id}`, { key: client.adminKey })).status).toBe(404);
  const again = await createOnce(client, { key, body });
  expect(again.id).not.toBe(id);
  expect((await ended(client, again.id)).status).toBe('SUCCEEDED');
}

async function expectPurged(stack: Stack, { brief, briefFile }: DrillArtworks): Promise<void> {
  await withSql(stack.databaseUrl, async (sql) => {
    await eventually(async () => expect(await findRemains(stack, sql, brief)).toEqual(nothing), timeout);
    await eventually(async () => {
      const { rowCount } = await sql.query('select from uploaded_file where id = $1', [briefFile]);
      expect({ ...(await findRemains(stack, sql, briefFile)), rowCount }).toEqual({ ...nothing, rowCount: 0 });
    }, timeout);
  });
}

/** Expects that no workflow task of the artworks has failed, and that Temporal lists only workflows that exist. */
async function expectSoundWorkflows(stack: Stack, ids: readonly string[]): Promise<void> {
  const { client, close } = await openTemporal(stack);
  try {
    await expectNoFailedTask(client, ids);
    for await (const { workflowId, runId } of client.workflow.list()) {
      await client.workflow.getHandle(workflowId, runId).describe();
    }
  } finally {
    await close();
  }
}

async function withSql<T>(databaseUrl: string, use: (sql: pg.Client) => Promise<T>): Promise<T> {
  const sql = new pg.Client(databaseUrl);
  await sql.connect();
  try {
    return await use(sql);
  } finally {
    await sql.end();
  }
}
