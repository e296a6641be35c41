/** The jobs that providers must still cancel, or whose copies they must still delete. Nothing in here belongs to a client. */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Database } from './database.ts';
import { ObsoleteJob } from './entities.ts';
import type { CallAtEngine } from './jobs.ts';

/** How long a provider is asked: as long as an artwork is kept by default. */
const longestRepetition = `interval '8 days'`;
/** How long other workers leave a job to the worker that has claimed it: longer than its request takes. */
const claim = `interval '30 seconds'`;

const columns = 'engine, remote_id, model, submitted_to, is_ended, next_at, give_up_at';

/** Returns SQL that makes the jobs in the rows of `source` obsolete. */
const insertFrom = (source: string, isEnded: boolean): string =>
  `insert into obsolete_job (${columns})
   select engine, remote_id, model, submitted_to, ${isEnded}, clock_timestamp(), clock_timestamp() + ${longestRepetition}
   from ${source}
   on conflict do nothing`;

/** Makes the open jobs of an artwork obsolete, in the transaction that ends or deletes it. */
export async function discardJobs(em: EntityManager, artwork: string, now: Date): Promise<void> {
  await em.execute(
    `with open as (
       update job set ended_at = ?, leased_until = null
       where artwork_id = ? and remote_id is not null and ended_at is null
       returning engine, remote_id, model, submitted_to
     )
     ${insertFrom('open', false)}`,
    [now, artwork],
    'run',
  );
}

/**
 * Ends the job of a call and makes it obsolete. Without a job, only ends the call's submission.
 * @param isEnded whether the provider has completed the job, so that only its copies are to be deleted
 */
export async function discardJob(
  db: Database,
  { artwork, call, engine }: CallAtEngine,
  { now, isEnded }: { now: Date; isEnded: boolean },
): Promise<void> {
  await db.em().execute(
    `with ended as (
       update job set ended_at = ?, leased_until = null
       where artwork_id = ? and call = ? and engine = ? and ended_at is null
       returning engine, remote_id, model, submitted_to
     ),
     open as (select * from ended where remote_id is not null)
     ${insertFrom('open', isEnded)}`,
    [now, artwork, call, engine],
    'run',
  );
}

/** Adds a job that has become obsolete before its id was stored. */
export async function addObsoleteJob(
  db: Database,
  { engine, remoteId, model, submittedTo }: Pick<ObsoleteJob, 'engine' | 'remoteId' | 'model' | 'submittedTo'>,
): Promise<void> {
  await db.em().execute(
    `with open (engine, remote_id, model, submitted_to) as (values (?, ?, ?, ?::jsonb))
     ${insertFrom('open', false)}`,
    [engine, remoteId, model, JSON.stringify(submittedTo ?? null)],
    'run',
  );
}

/**
 * Claims due jobs, so that no other worker sends their requests.
 * @param engines engines of which the process has the settings
 */
export async function claimObsoleteJobs(
  db: Database,
  engines: readonly string[],
  limit: number,
): Promise<ObsoleteJob[]> {
  if (engines.length === 0) return [];
  const em = db.em();
  const rows = await em.execute<object[]>(
    `update obsolete_job
     set attempts = attempts + 1, next_at = clock_timestamp() + ${claim}
     where (engine, remote_id) in (
       select engine, remote_id from obsolete_job
       where next_at <= clock_timestamp() and split_part(engine, '.', 1) in (${engines.map(() => '?').join()})
       order by next_at
       limit ?
       for update skip locked
     )
     returning *`,
    [...engines, limit],
  );
  return rows.map((row) => em.map(ObsoleteJob, row));
}

/** Removes a job that its provider has canceled or deleted. */
export async function forgetObsoleteJob(db: Database, { engine, remoteId }: ObsoleteJob): Promise<void> {
  await db.em().nativeDelete(ObsoleteJob, { engine, remoteId });
}

/**
 * Schedules the next request for a job.
 * @param wait milliseconds
 * @param isHeld whether the provider has requested the wait, so that it holds for all jobs of the engine
 */
export async function postponeObsoleteJob(
  db: Database,
  { engine, remoteId }: ObsoleteJob,
  { wait, isHeld }: { wait: number; isHeld: boolean },
): Promise<void> {
  const next = `clock_timestamp() + make_interval(secs => ?::double precision / 1000)`;
  await db.em().execute(
    `update obsolete_job
     set next_at = case when remote_id = ? then ${next} else greatest(next_at, ${next}) end
     where engine = ? and (remote_id = ? or ?)`,
    [remoteId, wait, wait, engine, remoteId, isHeld],
    'run',
  );
}

/** Deletes the jobs for which no provider has confirmed anything for too long. @returns their engines */
export async function giveUpObsoleteJobs(db: Database): Promise<string[]> {
  const rows = await db
    .em()
    .execute<{ engine: string }[]>('delete from obsolete_job where give_up_at <= clock_timestamp() returning engine');
  return rows.map(({ engine }) => engine);
}
