/** The workflow of a request that is rejected after its start ends at once, and leaves nothing behind. */
import { afterAll, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import { Artwork } from '../../store/entities.ts';
import { newId } from '../../store/ids.ts';
import { type Accounts, openAccounts } from '../support/accounts.ts';
import { call } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { priced } from '../support/prices.ts';
import { startSharedStack } from '../support/shared.ts';
import type { Stack } from '../support/stack.ts';
import { openTemporal, startedSince, type TemporalClient } from '../support/temporal.ts';
import type { TestKey } from '../support/test-key.ts';
import { instantWorker } from '../support/timed.ts';

// These tests start processes, which takes long on a busy machine.
jest.setTimeout(180_000);

let stack: Stack;
let temporal: TemporalClient;
let accounts: Accounts;
let key: TestKey;
/** An id that is older than the workflows of the test. */
let since: string;

beforeAll(async () => {
  stack = await startSharedStack({ env: await priced({ selena: { base: 10 } }), workerEntry: instantWorker });
  [temporal, accounts] = await Promise.all([openTemporal(stack), openAccounts(stack)]);
});
beforeEach(async () => {
  key = await accounts.newKey({ credits: 10 });
  since = newId('art');
});
afterAll(async () => {
  await accounts.expectConsistent();
  await Promise.all([temporal.close(), accounts.close()]);
  await stack.stop();
});

const send = (operation: string, body: Record<string, unknown>) =>
  call(`${stack.baseUrl}/v2/artworks/${operation}`, { method: 'POST', key: key.apiKey, body });

/** Expects that the workflows of rejected requests have ended, sooner than a workflow without a row ends by itself. */
async function expectEnded(accepted: readonly string[]): Promise<void> {
  await eventually(async () => {
    const ids = (await startedSince(temporal, stack, since)).filter((id) => !accepted.includes(id));
    expect(ids).not.toEqual([]);
    for (const id of ids) {
      const { status, startTime, closeTime } = await temporal.client.workflow.getHandle(id).describe();
      expect(status.name).toBe('COMPLETED');
      expect(closeTime!.getTime() - startTime.getTime()).toBeLessThan(8000);
    }
    const rows = await accounts.db.em().find(Artwork, { key: key.id });
    expect(rows.map(({ id }) => id)).toEqual(accepted);
  });
}

test('when the credits of concurrent requests do not suffice', async () => {
  const boat = { prompt: 'a boat', width: 256, height: 256 };
  const responses = await Promise.all(Array.from({ length: 8 }, () => send('selena', boat)));
  const accepted = responses.filter(({ status }) => status === 202);
  expect(accepted).toHaveLength(1);
  await expectEnded(accepted.map(({ body }) => String(body['id'])));
});
