/** Tables that grow stay quick to read: rare rows are found by an index, and the ledger is verified and folded in slices. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { domains } from '../../schemas/access.ts';
import type { Status } from '../../schemas/artwork.ts';
import { listArtworks } from '../../store/artwork-list.ts';
import { deleteArtworkRows, insertArtwork } from '../../store/artworks.ts';
import { listEntries, listStatements, settle } from '../../store/credits.ts';
import type { Database } from '../../store/database.ts';
import type { ApiKey } from '../../store/entities.ts';
import { foldSlice } from '../../store/fold-ledger.ts';
import { newId } from '../../store/ids.ts';
import { findKey } from '../../store/keys.ts';
import { countUnfinished, sumCredits } from '../../store/limit-use.ts';
import { findAllFaults, findFaults } from '../../store/ledger-faults.ts';
import { sweep } from '../../store/sweep.ts';
import { verifySlice } from '../../store/verify-ledger.ts';
import { newArtwork } from '../support/artworks.ts';
import { ownDatabase, type OwnDatabase } from '../support/database.ts';
import { openTestDatabase } from '../support/open-database.ts';
import { createTestKey } from '../support/test-key.ts';

let own: OwnDatabase;
let db: Database;
let org: string;
let key: string;

beforeAll(async () => {
  own = await ownDatabase();
  db = openTestDatabase(own.url);
  org = own.owner.org;
});
beforeEach(async () => {
  key = (await createTestKey(db, { orgId: org, credits: 1000 })).id;
});
afterAll(async () => {
  await db.close();
  await own.sql.end();
});

const day = 86_400_000;
const ago = (days: number) => new Date(Date.now() - days * day);
const manual = new AbortController().signal;

async function store(price: number, createdAt: Date): Promise<string> {
  const id = newId('art', createdAt.getTime());
  await insertArtwork(db, { ...newArtwork({ org, key, price }), id, createdAt });
  return id;
}
const end = (id: string, reserved: number, charged: number, at: Date) =>
  db.em().transactional((em) => settle(em, { id, key, operation: 'selena', reserved }, charged, at));
/** Stores, settles and purges an artwork, as in the past. */
async function past(price: number, at: Date): Promise<string> {
  const id = await store(price, at);
  await end(id, price, price, new Date(at.getTime() + 1000));
  await own.sql.query('delete from artwork where id = $1', [id]);
  return id;
}
const verifyAll = async () => {
  for (const now = new Date(); await verifySlice(db, now, 50););
};
const foldAll = async () => {
  for (const now = new Date(); await foldSlice(db, now, 20););
};
const balance = async () => (await findKey(db, org, key))?.credits;
const sum = async () => {
  const { rows } = await own.sql.query('select sum(amount)::int as sum from ledger_entry where key_id = $1', [key]);
  return (rows[0] as { sum: number }).sum;
};
const statement = async () => (await listStatements(db, org)).find(({ keyId }) => keyId === key);

describe('lists', () => {
  let listing: Database;
  const owned = 20_000;

  beforeAll(async () => {
    // One connection, because `pg_stat_force_next_flush` flushes the counts of its own queries only.
    listing = openTestDatabase(own.url);
    await own.sql.query(
      `insert into artwork (
         id, org_id, key_id, operation, domain, status, input, metadata, created_at, finished_at, expires_at
       )
       select 'art_' || lpad(n::text, 26, '0'), $1, $2, 'selena', 'artworks-internal', 'SUCCEEDED', '{}', '{}', now(),
         now(), now() + interval '8 days'
       from generate_series(1, ${owned}) as n`,
      [org, own.owner.key],
    );
    await own.sql.query('analyze artwork');
    // The statistics do not know them, as in a large table.
    const change = (what: string, n: number) =>
      own.sql.query(`update artwork set ${what} where id = 'art_' || lpad('${n}', 26, '0')`);
    await change(`operation = 'upscaling'`, 3);
    await change(`status = 'CANCELED'`, 9);
  });
  afterAll(async () => {
    await listing.close();
    await own.sql.query(`delete from artwork where key_id = $1`, [own.owner.key]);
  });

  const rowsRead = async () => {
    const em = listing.em();
    await em.execute('select pg_stat_force_next_flush()');
    const [row] = await em.execute<[{ read: string }]>(
      `select seq_tup_read + (select sum(idx_tup_read) from pg_stat_user_indexes where relname = 'artwork') as read
       from pg_stat_user_tables
       where relname = 'artwork'`,
    );
    return Number(row.read);
  };

  const operations = ['selena', 'upscaling', 'depth-map'];
  test.each<[string, { status?: Status; operations?: string[]; domains?: ApiKey['domains'] }, number]>([
    ['any', {}, 21],
    ['a status that none has', { status: 'FAILED' }, 0],
    ['a status that one has', { status: 'CANCELED' }, 1],
    ['an operation that one has', { operations: ['upscaling'] }, 1],
    ['an operation that none has', { operations: ['depth-map'] }, 0],
    ['a rare operation and a status', { operations: ['upscaling'], status: 'FAILED' }, 0],
    ['the operations of another domain', { operations: ['style-dna/edit'], domains: ['style-dna'] }, 0],
  ])('reads few rows to list %s', async (_what, { status = null, ...rest }, found) => {
    const owner = await findKey(listing, org, own.owner.key);
    for (const scope of ['admin', 'generator'] as const) {
      const caller = { ...owner!, scope, domains: rest.domains ?? [...domains] };
      const filter = { status, operations: rest.operations ?? operations, limit: 21, before: null };
      const before = await rowsRead();
      expect(await listArtworks(listing, caller, filter, new Date())).toHaveLength(found);
      expect((await rowsRead()) - before).toBeLessThan(200);
    }
  });

  test('counts the unfinished artworks of an organization without reading those that have ended', async () => {
    const before = await rowsRead();
    const holder = { org, environment: 'live' } as const;
    const earlier = await countUnfinished(listing, holder);
    expect(await sumCredits(listing.em(), holder, '2026-01-01')).toBeGreaterThanOrEqual(0);
    expect((await rowsRead()) - before).toBeLessThan(200);
    await own.sql.query(
      `update artwork set status = 'PROCESSING', finished_at = null where id = 'art_' || lpad('5', 26, '0')`,
    );
    expect(await countUnfinished(listing, holder)).toBe(earlier + 1);
  });

  test('merges operations and statuses, newest first, across pages', async () => {
    const owner = await findKey(listing, org, own.owner.key);
    const all: string[] = [];
    for (let before: string | null = null; all.length < 40; before = all.at(-1) ?? null) {
      const page = { status: null, operations, limit: 7, before };
      all.push(...(await listArtworks(listing, owner!, page, new Date())).map(({ id }) => id));
    }
    const { rows } = await own.sql.query<{ id: string }>(
      `select id from artwork where org_id = $1 and id > 'art_' order by id desc limit ${all.length}`,
      [org],
    );
    expect(all).toEqual(rows.map(({ id }) => id));
  });
});

test('a check after the verification finds new faults; a full one also finds changes to verified entries', async () => {
  const [old, recent] = [await past(10, ago(2)), await store(20, ago(1))];
  await verifyAll();
  expect(await findFaults(db)).toEqual([]);
  await own.sql.query(
    `insert into ledger_entry (reference, kind, key_id, amount, created_at) values ('forged', 'charge', $1, -7, now())`,
    [key],
  );
  await own.sql.query('delete from artwork where id = $1', [recent]);
  const forged = { id: 'forged', fault: 'was charged 7, but only 0 were reserved' };
  const open = { id: recent, fault: 'has ended, but its reservation is open' };
  expect(await findFaults(db)).toEqual([open, forged]);

  await own.sql.query('alter table ledger_entry disable trigger ledger_kept');
  await own.sql.query(`update ledger_entry set amount = -4 where reference = $1 and kind = 'charge'`, [old]);
  await own.sql.query(`delete from ledger_entry where reference in ('forged', $1)`, [recent]);
  await own.sql.query('alter table ledger_entry enable trigger ledger_kept');
  const changed = { id: key, fault: `has ${await balance()} credits, but its ledger has ${await sum()}` };
  expect(await sum()).not.toBe(await balance());
  expect(await findAllFaults(db)).toEqual([changed]);

  await own.sql.query('delete from api_key where id = $1', [key]);
});

test('a release that differs from its reservation is a fault, until nothing is left of it', async () => {
  await resetMarks();
  const id = await store(10, ago(2));
  await own.sql.query('delete from artwork where id = $1', [id]);
  const release = `insert into ledger_entry (reference, kind, key_id, amount, created_at) values ($1, 'release', $2, 7, $3)`;
  await own.sql.query(release, [id, key, ago(1)]);
  await verifyAll();
  const fault = { id, fault: 'was released 7, but 10 were reserved' };
  await sweep(db, new Date(), manual);
  expect([await findFaults(db), await findAllFaults(db)]).toEqual([[fault], [fault]]);
  await own.sql.query('delete from api_key where id = $1', [key]);
  await sweep(db, new Date(), manual);
  expect((await own.sql.query('select from ledger_unsettled where reference = $1', [id])).rowCount).toBe(0);
});

test('a balance that was changed without the ledger is found although its entries are verified', async () => {
  await past(10, ago(2));
  await verifyAll();
  await own.sql.query('alter table api_key disable trigger credits_set');
  await own.sql.query('update api_key set credits = 5 where id = $1', [key]);
  await own.sql.query('alter table api_key enable trigger credits_set');
  expect(await findFaults(db)).toEqual([{ id: key, fault: 'has 5 credits, but its ledger has 990' }]);
  await own.sql.query('delete from api_key where id = $1', [key]);
});

test('an entry that appears in a verified slice is no fault', async () => {
  await verifyAll();
  await past(10, ago(3));
  expect(await findFaults(db)).toEqual([]);
  await own.sql.query('delete from api_key where id = $1', [key]);
});

test('folding keeps the balance equal to the sum, and keeps what is recent, unsettled or still stored', async () => {
  await resetMarks();
  for (let nth = 0; nth < 30; nth += 1) await past(3, ago(60 - nth / 10));
  const [recent, open] = [await past(5, ago(20)), await store(7, ago(50))];
  await own.sql.query('delete from artwork where id = $1', [open]);
  await verifyAll();
  const before = { balance: await balance(), statement: await statement() };
  await foldAll();
  expect({ balance: await balance(), statement: await statement() }).toEqual(before);
  expect(await sum()).toBe(before.balance);
  const entries = (await listEntries(db, key, 1000)).map(({ reference, amount }) => `${reference} ${amount}`);
  const initial = expect.stringMatching(/^grant_.* 1000$/);
  const kept = [`${recent} -5`, `${recent} -5`, `${recent} 5`, `${open} -7`];
  expect(entries.toSorted()).toEqual([...kept.toSorted(), initial, `opening_${key} -90`]);
  const fault = { id: open, fault: 'has ended, but its reservation is open' };
  expect(await findFaults(db)).toEqual([fault]);
  expect(await findAllFaults(db)).toEqual([fault]);
  await own.sql.query('delete from api_key where id = $1', [key]);
});

test('an artwork that outlives its entries is settled once', async () => {
  await resetMarks();
  await past(3, ago(90));
  const id = await store(40, ago(60));
  await end(id, 40, 0, ago(59));
  await past(3, ago(50));
  await verifyAll();
  await foldAll();
  await Promise.all([deleteArtworkRows(db, id, new Date()), deleteArtworkRows(db, id, new Date())]);
  expect([await balance(), await sum()]).toEqual([994, 994]);
  await foldAll();
  expect([await balance(), await sum()]).toEqual([994, 994]);
  expect(await findAllFaults(db)).toEqual([]);
  await own.sql.query('delete from api_key where id = $1', [key]);
});

test('concurrent settlements lose nothing while several processes verify and fold', async () => {
  await resetMarks();
  for (let nth = 0; nth < 60; nth += 1) await past(1, ago(60 - nth / 10));
  const open = await Promise.all(Array.from({ length: 40 }, () => store(10, ago(50))));
  let isRunning = true;
  const sweeper = async () => {
    while (isRunning) await sweep(db, new Date(), manual, { verified: 7, folded: 5, deleted: 5 });
  };
  const sweepers = [sweeper(), sweeper(), sweeper()];
  await Promise.all(
    open.map(async (id, nth) => {
      await end(id, 10, nth % 2 === 0 ? 10 : 0, new Date());
      await db.em().execute('update artwork set finished_at = now() where id = ?', [id]);
    }),
  );
  isRunning = false;
  await Promise.all(sweepers);
  await sweep(db, new Date(), manual);
  expect([await balance(), await sum()]).toEqual([740, 740]);
  expect(await statement()).toEqual({ keyId: key, credits: 740, granted: 1000, reserved: 0, charged: 260 });
  expect([await findFaults(db), await findAllFaults(db)]).toEqual([[], []]);
  expect(await listEntries(db, key, 1000)).toHaveLength(1 + 1 + 40 + 40 + 20);
});

test('deletes usage sums and audit entries after two years, in small transactions', async () => {
  const records = async () => {
    const { rows } = await own.sql.query<{ days: number[] }>(
      `select array(select current_date - day from "usage" order by day) as days`,
    );
    const audit = await own.sql.query(`select from audit_entry where action = 'test'`);
    return { days: rows[0]?.days, audit: audit.rowCount };
  };
  await own.sql.query('delete from "usage"');
  for (const days of [800, 799, 798, 700, 1]) {
    await own.sql.query(
      `insert into "usage" (org_id, day, operation, key_id, requests, artworks, credits)
       values ($1, current_date - $2::int, '', $3, 1, 1, 1)`,
      [org, days, key],
    );
    const at = ago(days);
    await own.sql.query(
      `insert into audit_entry (id, org_id, at, actor, action, target, changes) values ($1, $2, $3, 'x', 'test', 'x', '{}')`,
      [newId('aud', at.getTime()), org, at],
    );
  }
  await sweep(db, new Date(), manual, { verified: 1000, folded: 1000, deleted: 2 });
  expect(await records()).toEqual({ days: [700, 1], audit: 2 });
});

const resetMarks = async () => {
  await own.sql.query('delete from artwork');
  await own.sql.query(`truncate ledger_total, ledger_unsettled; update ledger_mark set at = 'epoch'`);
};
