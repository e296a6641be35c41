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

/** Keeps a call's place. */
export async function keepPlace(db: Database, asked: Asked, now: Date): Promise<void> {
  await db.em().upsert(RunningCall, { ...asked, beatAt: now });
}

export async function leavePlace(db: Database, asked: Asked): Promise<void> {
  await db.em().nativeDelete(RunningCall, asked);
}

/** A provider has said for how long it wants to be left alone: all workers obey. The longest time counts. */
export async function hold(db: Database, engine: string, until: Date): Promise<void> {
  const em = db.em();
  await em.nativeUpdate(
    EngineState,
    { name: engine, $or: [{ heldUntil: null }, { heldUntil: { $lt: until } }] },
    { heldUntil: until },
  );
}

/** @param at null resumes */
export async function pauseEngine(db: Database, name: string, at: Date | null): Promise<void> {
  await db.em().upsert(EngineState, { name, pausedAt: at }, { onConflictMergeFields: ['pausedAt'] });
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
