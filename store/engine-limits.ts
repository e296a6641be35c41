/** The state of each provider that all workers share: pauses, rate and slots. */
import type { ProviderLimits } from '../schemas/engines-file.ts';
import { type Author, operator, recordChange } from './audit.ts';
import type { Database } from './database.ts';
import { EngineState, RunningCall } from './entities.ts';
import type { CallAtEngine } from './jobs.ts';

/**
 * Whether a call may start. `go`: it may start after `wait` milliseconds. The other verdicts reserve nothing: `paused` by
 * the operator; `held` by the provider for `wait` milliseconds; `full`: no slot is free; `busy`: the rate allows the next
 * start only after `wait` milliseconds, which is too long.
 */
export interface Admission {
  verdict: 'go' | 'paused' | 'held' | 'full' | 'busy';
  wait: number;
}

/** Milliseconds after which a slot is free again, unless its call renews it. */
export const slotLease = 10_000;
/** The longest `wait` in milliseconds. */
const longestWait = 5000;

/** Reserves a slot and a start time within the provider's rate. A repeated call keeps its own slot. */
export async function reserveSlot(
  db: Database,
  { engine, artwork, call }: CallAtEngine,
  limits: ProviderLimits,
): Promise<Admission> {
  const [admission] = await db
    .em()
    .execute<Admission[]>('select * from admit_call(?, ?, ?, ?, ?, ?, ?)', [
      engine,
      artwork,
      call,
      limits.perSecond ?? null,
      limits.concurrent ?? null,
      slotLease,
      longestWait,
    ]);
  if (!admission) throw new Error('admit_call returned no row');
  return admission;
}

/** Renews the lease of a call's slot. Uses the clock of the database, because the clocks of workers differ. */
export async function renewSlot(db: Database, { engine, artwork, call }: CallAtEngine): Promise<void> {
  await db.em().execute(
    `insert into running_call (engine, artwork, call, beat_at)
     values (?, ?, ?, clock_timestamp())
     on conflict (engine, artwork, call) do update
     set beat_at = excluded.beat_at`,
    [engine, artwork, call],
    'run',
  );
}

export async function releaseSlot(db: Database, call: CallAtEngine): Promise<void> {
  await db.em().nativeDelete(RunningCall, call);
}

/**
 * Stops all workers from calling a provider that has requested a pause. The longest of several pauses counts.
 * @param wait milliseconds
 */
export async function holdEngine(db: Database, engine: string, wait: number): Promise<void> {
  await db.em().execute(
    `update engine_state
     set held_until = greatest(held_until, clock_timestamp() + make_interval(secs => ?::double precision / 1000))
     where name = ?`,
    [wait, engine],
    'run',
  );
}

export function pauseEngines(
  db: Database,
  names: readonly string[],
  at: Date,
  author: Author = operator,
): Promise<void> {
  return db.em().transactional(async (em) => {
    for (const name of names) {
      await em.upsert(EngineState, { name, pausedAt: at });
      await recordChange(em, author, { org: null, action: 'engine.paused', target: name, changes: {}, at });
    }
  });
}

/** Ends the operator's pause and any pause that the provider has requested. */
export function resumeEngines(
  db: Database,
  names: readonly string[],
  at = new Date(),
  author: Author = operator,
): Promise<void> {
  return db.em().transactional(async (em) => {
    await em.nativeUpdate(EngineState, { name: { $in: [...names] } }, { pausedAt: null, heldUntil: null });
    for (const target of names) {
      await recordChange(em, author, { org: null, action: 'engine.resumed', target, changes: {}, at });
    }
  });
}

export function listEngineStates(db: Database): Promise<EngineState[]> {
  return db.em().find(EngineState, {});
}

/** Returns the number of occupied slots by engine, for engines with a `concurrent` limit. */
export async function countRunning(db: Database, now: Date): Promise<Map<string, number>> {
  const leased = { beatAt: { $gt: new Date(now.getTime() - slotLease) } };
  const calls = await db.em().find(RunningCall, leased, { fields: ['engine'] });
  const counts = new Map<string, number>();
  for (const { engine } of calls) counts.set(engine, (counts.get(engine) ?? 0) + 1);
  return counts;
}
