/** Every credit is accounted for, even when steps run concurrently in any order and connections break. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Dependencies } from '../../activities/dependencies.ts';
import { finish } from '../../activities/finish.ts';
import { purge } from '../../activities/purge.ts';
import type { Ending } from '../../schemas/workflow.ts';
import { beginArtwork, claimArtwork, insertArtwork, type NewArtwork } from '../../store/artworks.ts';
import { grantCredits, listEntries, listStatements } from '../../store/credits.ts';
import { findFaults } from '../../store/ledger-faults.ts';
import { type Database, openDatabase } from '../../store/database.ts';
import { Artwork } from '../../store/entities.ts';
import { activityDependencies } from '../support/activity-dependencies.ts';
import { newArtwork } from '../support/artworks.ts';
import { eventually } from '../support/eventually.ts';
import { startSharedStack } from '../support/shared.ts';
import type { Stack } from '../support/stack.ts';
import { createTestKey } from '../support/test-key.ts';
import { startWire, type Wire } from '../support/wire.ts';

const name = 'credits-victim';
const granted = 100;
const artworks = 4;

let stack: Stack;
/** The test cuts the connections of this database, and reads the result through `safe`. */
let victim: Database;
let safe: Database;
let wire: Wire;
let deps: Dependencies;

beforeAll(async () => {
  stack = await startSharedStack({ apis: 0, workers: 0 });
  wire = await startWire(stack.databaseUrl);
  victim = openDatabase({ url: wire.url, name });
  safe = openDatabase({ url: stack.databaseUrl, name: 'credits-safe' });
  deps = activityDependencies(stack, victim);
});
afterAll(async () => {
  await Promise.all([victim.close(), safe.close()]);
  await wire.close();
  await stack.stop();
});

const failure = { call: 'image-1', model: 'selena', code: 'provider_rejected', message: null } as const;
const endings: Record<string, Ending> = {
  succeed: { status: 'SUCCEEDED', failure: null, failures: [] },
  fail: { status: 'FAILED', failure, failures: [] },
  cancel: { status: 'CANCELED', failure: null, failures: [] },
};

const kinds = ['create', 'claim', 'begin', 'succeed', 'fail', 'cancel', 'purge', 'grant', 'crash'] as const;

interface Step {
  kind: (typeof kinds)[number];
  /** Index of the artwork, which also determines its price. */
  at: number;
  /** Milliseconds before the step begins within its batch. For a crash: the number of database messages before the cut. */
  after: number;
  /** Whether a crash cuts the connection after the message has reached the server, instead of before. */
  behind: boolean;
}

const step: fc.Arbitrary<Step> = fc.record({
  // The steps that change credits, and crashes, are more frequent.
  kind: fc.constantFrom(...kinds, 'create', 'create', 'succeed', 'succeed', 'crash', 'crash'),
  at: fc.nat({ max: artworks - 1 }),
  after: fc.nat({ max: 10 }),
  behind: fc.boolean(),
});
/** The steps of a batch run concurrently; no statement runs between batches. */
const batches = fc.array(fc.array(step, { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 5 });

async function run({ kind, at, after, behind }: Step, rows: readonly NewArtwork[]): Promise<void> {
  const row = rows[at]!;
  const { id, org, key, operation, createdAt: now, expiresAt } = row;
  if (kind === 'crash') return wire.cutAt(after + 1, behind ? 'after' : 'before');
  await new Promise((resolve) => setTimeout(resolve, after));
  if (kind === 'create') return insertArtwork(victim, row);
  if (kind === 'claim') {
    return void (await claimArtwork(victim, { id, orgId: org, keyId: key, operation }, { now, expiresAt }));
  }
  if (kind === 'begin') return void (await beginArtwork(victim, id, now));
  if (kind === 'purge') return purge(deps, { id });
  if (kind === 'grant') return void (await grantCredits(victim, { orgId: org, keyId: key }, at - 2, new Date()));
  return void (await finish(deps, { id, ending: endings[kind]! }));
}

test('random interleavings of create, claim, begin, end, purge, grant and crash', async () => {
  await fc.assert(
    fc.asyncProperty(batches, async (plan) => {
      const { id: key } = await createTestKey(safe, { orgId: stack.orgId, credits: granted });
      // Together, they cost more than the credits of the key.
      const rows = Array.from({ length: artworks }, (_, at) => newArtwork({ org: stack.orgId, key, price: at * 17 }));
      const faults = async () =>
        (await findFaults(safe)).filter((fault) => [key, ...rows.map(({ id }) => id)].includes(fault.id));
      const statement = async () => (await listStatements(safe, stack.orgId)).find(({ keyId }) => keyId === key)!;

      wire.cutAt(Infinity, 'before');
      for (const batch of plan) {
        await Promise.allSettled(batch.map((one) => run(one, rows)));
        await atRest();
        expect(await faults()).toEqual([]);
        const { credits, granted: given, reserved, charged } = await statement();
        expect(credits).toBeGreaterThanOrEqual(0);
        expect(credits).toBe(given - reserved - charged);
      }

      // The rows agree with the ledger, and a charge is the price or nothing.
      const entries = await listEntries(safe, key, 1000);
      for (const { id, quote } of rows) {
        const row = await safe.em().findOne(Artwork, { id });
        const paid = entries.filter(({ reference, kind }) => reference === id && kind === 'charge');
        expect(paid.map(({ amount }) => -amount)).toEqual(paid.length === 0 ? [] : [quote!.price]);
        // The id of a purged artwork may have been claimed since; the service itself never reuses an id.
        if (!row || row.status === 'ABANDONED') continue;
        expect(row.charged).toBe(row.status === 'SUCCEEDED' ? quote!.price : 0);
        expect(row.charged).toBe(paid.length === 0 ? 0 : quote!.price);
        const event = JSON.parse(row.eventBody ?? 'null') as { credits: object } | null;
        expect(event?.credits).toEqual(event === null ? undefined : { charged: row.charged });
      }

      // After all artworks have been purged, no credits are reserved.
      for (const { id } of rows) await purgeInTheEnd(id);
      expect(await faults()).toEqual([]);
      expect((await statement()).reserved).toBe(0);
    }),
    { numRuns: 25 },
  );
}, 300_000);

/** Waits until the server is idle: a statement may still run after its connection was cut. */
function atRest(): Promise<void> {
  return eventually(async () => {
    const busy = await safe
      .em()
      .execute(
        `select from pg_stat_activity where datname = current_database() and application_name = ? and state <> 'idle'`,
        [name],
      );
    expect(busy).toEqual([]);
  });
}

/** Retries, because a planned cut may still interrupt an attempt. */
async function purgeInTheEnd(id: string): Promise<void> {
  for (let attempts = 0; ; attempts++) {
    try {
      return await purge(deps, { id });
    } catch (error) {
      if (attempts === 5) throw error;
    }
  }
}
