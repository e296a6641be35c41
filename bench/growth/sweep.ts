/** Sweeps the seeded database as workers do, and measures the longest transaction. */
import type pg from 'pg';
import type { Database } from '../../store/database.ts';
import { sweep, sweepSteps } from '../../store/sweep.ts';

/** Returns one line per step: transactions, total time and longest transaction. */
export async function sweepAll(db: Database, admin: pg.Client): Promise<Record<string, string>> {
  const now = new Date();
  const figures: Record<string, string> = {};
  for (const [name, step] of Object.entries(sweepSteps(db, now))) {
    const began = performance.now();
    let [transactions, longest] = [0, 0];
    for (let isMore = true; isMore; transactions += 1) {
      const start = performance.now();
      isMore = await step();
      longest = Math.max(longest, performance.now() - start);
    }
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    figures[name] = `${transactions} transactions in ${seconds} s, the longest ${longest.toFixed(0)} ms`;
  }
  const began = performance.now();
  await sweep(db, now, AbortSignal.timeout(600_000));
  figures['a sweep with nothing to do'] = `${(performance.now() - began).toFixed(0)} ms`;
  const { rows } = await admin.query<{ entries: string }>('select count(*) as entries from ledger_entry');
  figures['entries that are left'] = rows[0]?.entries ?? '';
  return figures;
}
