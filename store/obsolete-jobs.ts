/** The jobs that providers must still cancel, or whose copies they must still delete. The rows contain no client data. */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Database } from './database.ts';
import { ObsoleteJob } from './entities.ts';
import type { CallAtEngine } from './jobs.ts';

/** Time for which requests are repeated: the default retention. */
const longestRepetition = `interval '8 days'`;
/** Time for which a claim excludes other workers: longer than the requests take. */
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
 * Ends the job of a call and makes it obsolete. Does nothing if another job has taken its place.
 * @param isEnded whether the provider has completed the job, so that only its copies are to be deleted
 */
export async function discardJob(
  db: Database,
  { artwork, call, engine }: CallAtEngine,
  { now, isEnded, remoteId }: { now: Date; isEnded: boolean; remoteId: string },
): Promise<void> {
  await db.em().execute(
    `with ended as (
       update job set ended_at = ?, leased_until = null
       where artwork_id = ? and call = ? and engine = ? and remote_id = ? and ended_at is null
       returning engine, remote_id, model, submitted_to
     )
     ${insertFrom('ended', isEnded)}`,
    [now, artwork, call, engine, remoteId],
    'run',
  );
}

/** Stores a job whose id arrived after the job had become obsolete. */
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

/** Claims due jobs at a provider, so that no other worker sends their requests. @param provider its name under `engines` */
export async function claimObsoleteJobs(db: Database, provider: string, limit: number): Promise<ObsoleteJob[]> {
  const em = db.em();
  const rows = await em.execute<object[]>(
    `update obsolete_job
     set attempts = attempts + 1, next_at = clock_timestamp() + ${claim}
     where (engine, remote_id) in (
       select engine, remote_id from obsolete_job
       where next_at <= clock_timestamp() and split_part(engine, '.', 1) = ?
       order by next_at
       limit ?
       for update skip locked
     )
     returning *`,
    [provider, limit],
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

/** Deletes the jobs that no provider has confirmed in time. @returns the name under `engines` of each */
export async function giveUpObsoleteJobs(db: Database): Promise<string[]> {
  const rows = await db
    .em()
    .execute<{ engine: string }[]>(
      `delete from obsolete_job where give_up_at <= clock_timestamp() returning split_part(engine, '.', 1) as engine`,
    );
  return rows.map(({ engine }) => engine);
}
