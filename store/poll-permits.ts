/** Permits to take calls from the queue of a provider with limits. All workers together hold no more than can start. */
import type { ProviderLimits } from '../schemas/engines-file.ts';
import type { Database } from './database.ts';
import { PollPermit } from './entities.ts';

/** Milliseconds after which the permits of a worker are free again, unless it renews them. */
export const permitLease = 4000;
/** Milliseconds. At a provider with a rate, a permit is granted if the call can start within this time. */
const startWindow = 2000;

export interface PermitRequest {
  /** A name that no other process has. */
  worker: string;
  /** The number of permits that the worker holds. */
  held: number;
  /** How many of them belong to calls that have not started, or to polls. */
  waiting: number;
  /** The number of permits to add. */
  wanted: number;
}

/**
 * Renews the permits that a worker holds, and adds others within the provider's limits.
 * @returns the number of added permits
 */
export async function requestPermits(
  db: Database,
  engine: string,
  { perSecond, concurrent }: ProviderLimits,
  { worker, held, waiting, wanted }: PermitRequest,
): Promise<number> {
  const values = [engine, worker, held, waiting, wanted, perSecond ?? null, concurrent ?? null];
  const [row] = await db
    .em()
    .execute<{ granted: number }[]>('select request_permits(?, ?, ?, ?, ?, ?, ?, ?, ?) as granted', [
      ...values,
      permitLease,
      startWindow,
    ]);
  if (!row) throw new Error('request_permits returned no row');
  return row.granted;
}

/** Gives back all permits of a worker that ends. */
export async function returnPermits(db: Database, worker: string): Promise<void> {
  await db.em().nativeDelete(PollPermit, { worker });
}
