/** Counts the uses of keys in memory and adds them to the database in batches, so that no row becomes hot. */
import type { Logger } from '../log.ts';
import type { Database } from '../store/database.ts';
import { addUses } from '../store/keys.ts';

export interface Uses {
  count(keyId: string, at: Date): void;
  /** Writes what is left; nothing is lost at a clean stop. */
  close(): Promise<void>;
}

const every = 2000;

export function countUses(db: Database, log: Logger): Uses {
  let counts = new Map<string, { count: number; lastUsedAt: Date }>();
  let flushing = Promise.resolve();

  const add = (id: string, count: number, lastUsedAt: Date) => {
    const present = counts.get(id);
    counts.set(id, { count: (present?.count ?? 0) + count, lastUsedAt: present?.lastUsedAt ?? lastUsedAt });
  };
  const flush = async () => {
    if (counts.size === 0) return;
    const uses = [...counts].map(([id, use]) => ({ id, ...use }));
    counts = new Map();
    try {
      await addUses(db, uses);
    } catch (err) {
      log.warn({ err }, 'uses of keys could not be written yet');
      for (const { id, count, lastUsedAt } of uses) add(id, count, lastUsedAt);
    }
  };
  const timer = setInterval(() => {
    flushing = flushing.then(flush);
  }, every);
  timer.unref();

  return {
    count(keyId, at) {
      counts.set(keyId, { count: (counts.get(keyId)?.count ?? 0) + 1, lastUsedAt: at });
    },
    async close() {
      clearInterval(timer);
      await flushing;
      await flush();
    },
  };
}
