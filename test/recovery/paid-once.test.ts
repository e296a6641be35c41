/** The API dies, freezes or is overtaken at any point of a paid request: its repetition makes one artwork, paid once. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { domains } from '../../schemas/access.ts';
import { findFaults, listEntries } from '../../store/credits.ts';
import { type Database, openDatabase } from '../../store/database.ts';
import { Artwork } from '../../store/entities.ts';
import { createKey, findKey } from '../../store/keys.ts';
import { call } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { priced } from '../support/prices.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { startSharedStack } from '../support/shared.ts';
import type { Stack } from '../support/stack.ts';
import { expectWhole } from '../support/whole.ts';
import { type Point, startWire, type Wire } from '../support/wire.ts';

let stack: Stack;
let receiver: Receiver;
let db: Database;
let wire: Wire;
let key: { id: string; apiKey: string };

beforeAll(async () => {
  const env = await priced({ selena: { base: 10 } });
  // The first API speaks to PostgreSQL through the wire, the second does not.
  [stack, receiver] = await Promise.all([startSharedStack({ apis: 2, env }), startReceiver()]);
  wire = await startWire(stack.databaseUrl);
  db = openDatabase({ url: stack.databaseUrl, name: 'test' });
});
beforeEach(async () => {
  receiver.received.length = 0;
  await stack.apis.shift()?.stop();
  stack.apis.unshift(await stack.startApi(0, { DATABASE_URL: wire.url }));
  const fields = { label: 'test', scope: 'generator', environment: 'live', credits: 25, expiresAt: null } as const;
  const made = await createKey(db, { ...fields, orgId: stack.orgId, domains: [...domains] }, new Date());
  key = { id: made.row.id, apiKey: made.apiKey };
});
afterEach(async () => expect(await findFaults(db)).toEqual([]));
afterAll(async () => {
  await db.close();
  await stack.stop();
  await Promise.all([wire.close(), receiver.close()]);
});

const points: Record<string, Point> = {
  'before the start': { statement: /"idempotency_key" = /, hold: 'statement' },
  'between start and row': { statement: /insert into "artwork"/, hold: 'statement' },
  'between row and reservation': { statement: /insert into "ledger_entry"/, hold: 'statement' },
  'behind the reservation': { statement: /insert into "ledger_entry"/, hold: 'answer' },
  'before the commit': { after: /insert into "ledger_entry"/, statement: /commit/, hold: 'statement' },
  'between commit and answer': { after: /insert into "ledger_entry"/, statement: /commit/, hold: 'answer' },
};

/** @returns its answer, or null where the connection was lost */
function send(api: number, headers: Record<string, string> = { 'idempotency-key': 'order 7' }) {
  const body = { prompt: 'a boat', width: 256, height: 256, webhookUrl: receiver.url };
  const url = `${stack.baseUrls[api]}/v2/artworks/selena`;
  return call(url, { method: 'POST', key: key.apiKey, body, headers }).catch(() => null);
}

/** Sends to the API behind the wire, until it has come to the point. */
async function sendUntil(point: Point) {
  const held = wire.holdAt(point);
  const first = send(0);
  await held.reached;
  return { first, release: () => held.release(), pid: stack.apis[0]!.pid };
}

/** As the API that lives reads it. */
const expectAllWhole = (ids: string[]) => expectWhole({ ...stack, baseUrl: stack.baseUrls[1] ?? '' }, receiver, ids);

/** Of all requests of this test one was accepted, and it is whole. */
async function expectOne(id: string): Promise<void> {
  await expectAllWhole([id]);
  const rows = await db.em().find(Artwork, { key: key.id, status: { $ne: 'ABANDONED' } });
  expect(rows.map((row) => row.id)).toEqual([id]);
  const entries = await listEntries(db, key.id, 100);
  expect(entries.map(({ kind, amount, reference }) => [kind, amount, kind === 'grant' || reference]).sort()).toEqual([
    ['charge', -10, id],
    ['grant', 25, true],
    ['release', 10, id],
    ['reserve', -10, id],
  ]);
  expect((await findKey(db, stack.orgId, key.id))!.credits).toBe(15);
  expect(receiver.received).toHaveLength(1);
}

test.each(Object.entries(points))('killed %s, and sent again', async (name, point) => {
  const { first, release, pid } = await sendUntil(point);
  process.kill(pid, 'SIGKILL');
  expect(await first).toBeNull();
  release();
  const again = await eventually(async () => {
    const answer = await send(1);
    expect(answer?.status).toBe(202);
    return answer!;
  });
  expect(again.headers.get('idempotency-replayed')).toBe(name === 'between commit and answer' ? 'true' : null);
  await expectOne(String(again.body['id']));
});

test.each(['between start and row', 'between row and reservation', 'before the commit'])(
  'frozen %s: what it holds is taken from it, and what it does later changes nothing',
  async (name) => {
    const { first, release, pid } = await sendUntil(points[name]!);
    process.kill(pid, 'SIGSTOP');
    const again = await eventually(async () => {
      const answer = await send(1);
      expect(answer?.status).toBe(202);
      return answer!;
    });
    process.kill(pid, 'SIGCONT');
    release();
    const late = await first;
    // Either it saw that its connection was gone, or that the other one was first.
    expect([202, 503]).toContain(late?.status);
    if (late?.status === 202) expect(late.body).toEqual(again.body);
    await expectOne(String(again.body['id']));
  },
);

test('overtaken between start and row: the later request makes it, the first one gets its answer', async () => {
  const { first, release } = await sendUntil(points['between start and row']!);
  const second = await send(1);
  expect([second?.status, second?.headers.get('idempotency-replayed')]).toEqual([202, null]);
  release();
  const late = await first;
  expect([late?.status, late?.headers.get('idempotency-replayed'), late?.body]).toEqual([202, 'true', second?.body]);
  await expectOne(String(second?.body['id']));
});

test('overtaken in credits: what is no longer there is refused, and nothing of it stays', async () => {
  const { first, release } = await sendUntil(points['between start and row']!);
  const others = [await send(1, {}), await send(1, {})];
  expect(others.map((answer) => answer?.status)).toEqual([202, 202]);
  release();
  const late = await first;
  expect([late?.status, late?.body['code']]).toEqual([402, 'insufficient_credits']);
  await expectAllWhole(others.map((answer) => String(answer?.body['id'])));
  expect((await findKey(db, stack.orgId, key.id))!.credits).toBe(5);
  expect(receiver.received).toHaveLength(2);
});
