/** An artwork's end and its cancellation at the same moment: one of them has happened, for everybody. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { findFaults, listEntries } from '../../store/credits.ts';
import { type Database, openDatabase } from '../../store/database.ts';
import { findKeyBySecret, updateKey } from '../../store/keys.ts';
import { operator } from '../../store/audit.ts';
import { call, create, read } from '../support/client.ts';
import { priced } from '../support/prices.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { startSharedStack } from '../support/shared.ts';
import type { Stack } from '../support/stack.ts';

let stack: Stack;
let receiver: Receiver;
let db: Database;

beforeAll(async () => {
  const env = await priced({ selena: { base: 10 } });
  [stack, receiver] = await Promise.all([startSharedStack({ workerEntry: 'bench/instant.ts', env }), startReceiver()]);
  db = openDatabase({ url: stack.databaseUrl, name: 'test' });
});
afterAll(async () => {
  await db.close();
  await stack.stop();
  await receiver.close();
});

/** Milliseconds after the 202: before, in and after the end of an artwork that takes no time. */
const moments = Array.from({ length: 60 }, (_, index) => index * 2);

test('each is canceled or has succeeded: the answer, the artwork, its event and the ledger say the same', async () => {
  const { id: keyId } = (await findKeyBySecret(db, stack.adminKey))!;
  await updateKey(db, { orgId: stack.orgId, id: keyId }, { credits: 1000 }, new Date(), operator);
  const outcomes: string[] = [];
  for (const moment of moments) {
    const body = { prompt: 'a boat', width: 256, height: 256, webhookUrl: receiver.url };
    const { id } = await create(stack, body);
    await new Promise((resolve) => setTimeout(resolve, moment));
    const url = `${stack.baseUrl}/v2/artworks/${id}/cancel`;
    const { status } = await call(url, { method: 'POST', key: stack.adminKey });
    expect([202, 409]).toContain(status);
    const expected = status === 202 ? 'CANCELED' : 'SUCCEEDED';
    const [first] = await receiver.until(id);
    expect(first!.event).toMatchObject({ type: `artwork.${expected.toLowerCase()}`, status: expected });
    const artwork = await read(stack, id);
    expect([artwork.status, artwork.images.length]).toEqual([expected, status === 202 ? 0 : 1]);
    const entries = (await listEntries(db, keyId, 300)).filter(({ reference }) => reference === id);
    expect(entries).toHaveLength(status === 202 ? 2 : 3);
    outcomes.push(expected);
  }
  expect(new Set(outcomes)).toEqual(new Set(['CANCELED', 'SUCCEEDED']));
  for (const { event } of receiver.received) {
    expect(receiver.received.filter((other) => other.event.id === event.id)).toHaveLength(1);
  }
  expect(await findFaults(db)).toEqual([]);
});
