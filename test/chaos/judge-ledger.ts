/** Judges the ledger of the client's key, which outlives the artworks and shows what each of them cost. */
import { findAllFaults } from '../../store/ledger-faults.ts';
import { openTestDatabase } from '../support/open-database.ts';
import { costOf } from './load.ts';
import { credits, price, type System, withSql } from './system.ts';
import type { Verdict } from './watch-artwork.ts';

interface Entry {
  reference: string;
  total: string;
}

interface Expected {
  verdicts: readonly Verdict[];
  /** The artworks of creations that got no 202. */
  others: ReadonlySet<string>;
  /** The number of synchronous requests that got their result. */
  texts: number;
}

export async function judgeLedger(system: System, { verdicts, others, texts }: Expected): Promise<string[]> {
  const db = openTestDatabase(system.service.databaseUrl);
  const faults = await findAllFaults(db).finally(() => db.close());
  const { entries, balance } = await withSql(system, async (sql) => {
    // Both queries read the same moment.
    await sql.query('begin isolation level repeatable read');
    const { rows: keys } = await sql.query<{ credits: string }>('select credits from api_key where id = $1', [
      system.key.id,
    ]);
    const { rows } = await sql.query<Entry>(
      `select reference, -sum(amount) as total from ledger_entry where key_id = $1 and kind <> 'grant' group by reference`,
      [system.key.id],
    );
    return { entries: rows, balance: Number(keys[0]?.credits) };
  });
  const costs = new Map(entries.map(({ reference, total }) => [reference, Number(total)]));
  const ofArtworks = verdicts.flatMap(({ created: { id, action }, status }) => {
    const cost = costs.get(id);
    costs.delete(id);
    if (action === 'delete' && (cost === 0 || cost === price)) return [];
    return cost === costOf(status) ? [] : [`${id} is ${status} and cost ${cost} credits`];
  });
  const charged = [...costs].filter(([id, cost]) => id.startsWith('ans_') && cost === price).length;
  const sum = entries.reduce((total, { total: cost }) => total + Number(cost), 0);
  return [
    ...faults.map(({ id, fault }) => `The ledger: ${id} ${fault}`),
    ...ofArtworks,
    ...[...costs]
      // A creation that got no 202 may have been withdrawn.
      .filter(([id, cost]) => !id.startsWith('ans_') && !others.has(id) && cost !== 0)
      .map(([id]) => `The ledger has an unknown ${id}`),
    ...[...costs].filter(([, cost]) => cost !== 0 && cost !== price).map(([id, cost]) => `${id} cost ${cost} credits`),
    ...(charged === texts ? [] : [`${texts} texts, but ${charged} charges`]),
    ...(balance === credits - sum ? [] : [`The balance is ${balance}, but the ledger leaves ${credits - sum}`]),
  ];
}
