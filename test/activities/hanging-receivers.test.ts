/** Receivers of one organization that hang, on many hosts: the deliveries of other organizations continue. */
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import type { Database } from '../../store/database.ts';
import { create } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { inBatches } from '../support/in-batches.ts';
import { openTestDatabase } from '../support/open-database.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { startSharedStack } from '../support/shared.ts';
import type { Stack } from '../support/stack.ts';
import { createTestKey } from '../support/test-key.ts';
import { createTestOrganization } from '../support/test-organization.ts';
import { timed } from '../support/timed.ts';

// These tests start processes, which takes long on a busy machine.
jest.setTimeout(180_000);

/** A host of a URL includes its port, so each receiver is a host of its own. */
const hangingHosts = 40;
const eventsPerHost = 4;
/** Concurrent deliveries of a worker to the receivers of one organization. */
const perOrganization = { fast: 20, slow: 40 };

let stack: Stack;
let db: Database;
const receivers: Receiver[] = [];
/** The requests that hang at the moment, and the most that have hung at once. */
let hanging = 0;
let most = 0;

beforeAll(async () => {
  stack = await startSharedStack(timed({ selena: 0 }, { ATELIER_WEBHOOK_SCHEDULE: '0s,1h' }));
  db = openTestDatabase(stack.databaseUrl);
});
afterAll(async () => {
  await stack.stop();
  await db.close();
  await Promise.all(receivers.map((receiver) => receiver.close()));
});

async function receiverThat(respond?: Parameters<typeof startReceiver>[0]): Promise<Receiver> {
  const receiver = await startReceiver(respond);
  receivers.push(receiver);
  return receiver;
}

const hangingReceiver = () =>
  receiverThat((response) => {
    most = Math.max(most, ++hanging);
    response.once('close', () => hanging--);
  });

test('many hosts of one organization that hang hold up no other organization', async () => {
  const hosts = await Promise.all(Array.from({ length: hangingHosts }, hangingReceiver));
  const prompt = 'a boat';
  const bodies = Array.from({ length: eventsPerHost }, () => hosts.map(({ url }) => ({ prompt, webhookUrl: url })));
  await inBatches(bodies.flat(), (body) => create(stack, body));
  // The fast slots are taken, and further deliveries hang in slow ones.
  await eventually(() => expect(hanging).toBeGreaterThan(perOrganization.fast), 60_000);

  const { orgId } = await createTestOrganization(db, stack.secret);
  const { apiKey } = await createTestKey(db, { orgId });
  const receiver = await receiverThat();
  for (let made = 0; made < 5; made++) {
    const { id } = await create({ ...stack, adminKey: apiKey }, { prompt, webhookUrl: receiver.url });
    // A delivery hangs for 15 seconds.
    await receiver.until(id, 1, 10_000);
  }
  // A receiver may notice the end of a delivery after the worker has begun others. Without a limit, all would hang at once.
  expect(most).toBeLessThan(1.5 * (perOrganization.fast + perOrganization.slow));
});
