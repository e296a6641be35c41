/** What all workers together know of a provider: whether it is paused, wants to be left alone, or has room for a call. */
import type { Database } from './database.ts';
import { EngineState, RunningCall } from './entities.ts';

/** A call of an artwork at an engine. */
export interface Asked {
  engine: string;
  artwork: string;
  call: string;
}

export interface Allowed {
  perSecond?: number | undefined;
  concurrent?: number | undefined;
}

/** `go`: it may begin after `wait` milliseconds. Anything else took nothing. */
export interface Admission {
  verdict: 'go' | 'paused' | 'held' | 'full' | 'busy';
  wait: number;
}

/** Milliseconds after which a call that is not told of any more counts as dead. */
export const lease = 10_000;
/** Milliseconds that a call may be told to wait for its turn. */
const longestWait = 5000;

/** Takes a place and a turn, if there are. A repeated call finds its own place again. */
export async function admit(db: Database, asked: Asked, allowed: Allowed): Promise<Admission> {
  const { engine, artwork, call } = asked;
  const [admission] = await db
    .em()
    .execute<Admission[]>('select * from admit_call(?, ?, ?, ?, ?, ?, ?)', [
      engine,
      artwork,
      call,
      allowed.perSecond ?? null,
      allowed.concurrent ?? null,
      lease,
      longestWait,
    ]);
  if (!admission) throw new Error('The database has not said whether a call may begin');
  return admission;
}

/** Keeps a call's place. By the database's clock, as all of this: those of workers differ. */
export async function keepPlace(db: Database, { engine, artwork, call }: Asked): Promise<void> {
  await db.em().execute(
    `insert into running_call (engine, artwork, call, beat_at) values (?, ?, ?, clock_timestamp())
       on conflict (engine, artwork, call) do update set beat_at = excluded.beat_at`,
    [engine, artwork, call],
    'run',
  );
}

export async function leavePlace(db: Database, asked: Asked): Promise<void> {
  await db.em().nativeDelete(RunningCall, asked);
}

/**
 * A provider has said for how long it wants to be left alone: all workers obey. The longest time counts.
 * @param wait milliseconds
 */
export async function hold(db: Database, engine: string, wait: number): Promise<void> {
  await db.em().execute(
    `update engine_state
       set held_until = greatest(held_until, clock_timestamp() + make_interval(secs => ?::double precision / 1000))
       where name = ?`,
    [wait, engine],
    'run',
  );
}

export async function pauseEngines(db: Database, names: readonly string[], at: Date): Promise<void> {
  for (const name of names) await db.em().upsert(EngineState, { name, pausedAt: at });
}

/** An operator knows better than what a provider has once asked for. */
export async function resumeEngines(db: Database, names: readonly string[]): Promise<void> {
  await db.em().nativeUpdate(EngineState, { name: { $in: [...names] } }, { pausedAt: null, heldUntil: null });
}

export function listEngineStates(db: Database): Promise<EngineState[]> {
  return db.em().find(EngineState, {});
}

/** How many calls each engine is at work on now, of those that have a limit. */
export async function countRunning(db: Database, now: Date): Promise<Map<string, number>> {
  const alive = { beatAt: { $gt: new Date(now.getTime() - lease) } };
  const calls = await db.em().find(RunningCall, alive, { fields: ['engine'] });
  const counts = new Map<string, number>();
  for (const { engine } of calls) counts.set(engine, (counts.get(engine) ?? 0) + 1);
  return counts;
}
