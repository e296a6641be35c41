/** The submissions of calls to providers, and the jobs that providers have accepted. */
import type { Database } from './database.ts';
import { Job } from './entities.ts';

/** A call of an artwork at one engine. It has at most one open job. */
export interface CallAtEngine {
  engine: string;
  artwork: string;
  call: string;
}

export function findJob(db: Database, call: CallAtEngine): Promise<Job | null> {
  return db.em().findOne(Job, call);
}

/** Returns the engines at which the call has an open job, or a submission whose outcome is unknown. */
export async function findSubmittedEngines(
  db: Database,
  { artwork, call }: Omit<CallAtEngine, 'engine'>,
): Promise<string[]> {
  const jobs = await db.em().find(Job, { artwork, call, endedAt: null }, { orderBy: { submittedAt: 'desc' } });
  return jobs.map(({ engine }) => engine);
}

/** Returns the id of the job that the provider has accepted and that has not ended; null if there is none. */
export const openJobId = (job: Job | null): string | null => (job?.endedAt == null ? (job?.remoteId ?? null) : null);

/** Returns whether the outcome of the last submission is unknown: its attempt still runs, or its worker has died. */
export const isInDoubt = ({ remoteId, endedAt }: Job): boolean => remoteId == null && endedAt == null;

/** Returns whether the lease on the last submission is valid, by the clock of the database. */
export async function isLeased(db: Database, { engine, artwork, call }: CallAtEngine): Promise<boolean> {
  const found = await db
    .em()
    .execute('select from job where artwork_id = ? and call = ? and engine = ? and leased_until > clock_timestamp()', [
      artwork,
      call,
      engine,
    ]);
  return found.length > 0;
}

export interface Submission {
  /** The name in the catalogue. */
  model: string;
  submittedAt: Date;
  /** The number of submissions that the attempt has found in the row; 0 without a row. */
  earlier: number;
  /** 1 for a submission that may be charged for; 0 for an embedded engine. */
  charge: 0 | 1;
  /** Milliseconds until another attempt may submit the call, unless the lease is renewed. */
  lease: number;
}

/**
 * Counts a submission before it is sent, because a submission whose response is lost may still cost money. Of several
 * attempts that have found the same row, only one can count its submission, and none can while an earlier submission
 * has a job or a lease.
 * @returns `ended`: the artwork has ended or is deleted, or the call has a result; `taken`: another attempt has
 * submitted the call, or may still do so. The call must then not be submitted.
 */
export async function countSubmission(
  db: Database,
  { artwork, call, engine }: CallAtEngine,
  { model, submittedAt, earlier, charge, lease }: Submission,
): Promise<'counted' | 'ended' | 'taken'> {
  const [row] = await db.em().execute<{ counted: boolean; needed: boolean }[]>(
    `with
       needed as (
         select id
         from artwork
         where id = ? and finished_at is null and status <> 'ABANDONED'
           and not exists (select from call_result where artwork_id = artwork.id and call = ?)
       ),
       counted as (
         insert into job (artwork_id, call, engine, model, submitted_at, submissions, charges, leased_until)
         select id, ?, ?, ?, ?, 1, ?, clock_timestamp() + make_interval(secs => ?::double precision / 1000)
         from needed
         on conflict (artwork_id, call, engine) do update
         set
           model = excluded.model,
           submitted_at = excluded.submitted_at,
           submissions = job.submissions + 1,
           charges = job.charges + excluded.charges,
           leased_until = excluded.leased_until,
           remote_id = null,
           submitted_to = null,
           ended_at = null
         where job.submissions = ?
           and (
             job.ended_at is not null
             or (job.remote_id is null and coalesce(job.leased_until <= clock_timestamp(), true))
           )
         returning 1
       )
     select exists (select from counted) as counted, exists (select from needed) as needed`,
    [artwork, call, call, engine, model, submittedAt, charge, lease, earlier],
  );
  if (row?.counted) return 'counted';
  return row?.needed ? 'taken' : 'ended';
}

/**
 * Renews the lease on a submission.
 * @param submissions the number of submissions including this one
 * @returns false when its outcome is known, or another attempt has submitted the call since
 */
export async function renewLease(
  db: Database,
  { artwork, call, engine }: CallAtEngine,
  { submissions, lease }: { submissions: number; lease: number },
): Promise<boolean> {
  const { affectedRows } = await db.em().execute<{ affectedRows: number }>(
    `update job
     set leased_until = clock_timestamp() + make_interval(secs => ?::double precision / 1000)
     where artwork_id = ? and call = ? and engine = ? and submissions = ? and remote_id is null and ended_at is null`,
    [lease, artwork, call, engine, submissions],
    'run',
  );
  return affectedRows > 0;
}

/**
 * Stores the provider's id for the job.
 * @param submissions the number of submissions including that of this job
 * @returns `ended` if the artwork has ended or is deleted, `taken` if another attempt has submitted the call since; both
 * store nothing. The artwork's row is locked, so that its end sees every job that was stored before.
 */
export async function saveJobId(
  db: Database,
  { artwork, call, engine }: CallAtEngine,
  submissions: number,
  { remoteId, submittedAt, submittedTo }: Pick<Job, 'remoteId' | 'submittedAt' | 'submittedTo'>,
): Promise<'saved' | 'taken' | 'ended'> {
  const [row] = await db.em().execute<{ saved: boolean; needed: boolean }[]>(
    `with
       needed as (
         select id from artwork where id = ? and finished_at is null and status <> 'ABANDONED' for share
       ),
       saved as (
         update job
         set remote_id = ?, submitted_at = ?, submitted_to = ?::jsonb, leased_until = null
         from needed
         where artwork_id = needed.id and call = ? and engine = ? and submissions = ?
         returning 1
       )
     select exists (select from saved) as saved, exists (select from needed) as needed`,
    [artwork, remoteId, submittedAt, JSON.stringify(submittedTo ?? null), call, engine, submissions],
  );
  if (row?.saved) return 'saved';
  return row?.needed ? 'taken' : 'ended';
}

/** Ends the row of a submission that has no job. @param isRefused whether the provider has refused it, and charged nothing */
export async function endSubmission(
  db: Database,
  { artwork, call, engine }: CallAtEngine,
  { submissions, isRefused, now }: { submissions: number; isRefused: boolean; now: Date },
): Promise<void> {
  await db.em().execute(
    `update job
     set ended_at = ?, leased_until = null, charges = charges - ?
     where artwork_id = ? and call = ? and engine = ? and submissions = ? and remote_id is null and ended_at is null`,
    [now, isRefused ? 1 : 0, artwork, call, engine, submissions],
    'run',
  );
}

/**
 * Marks a job as ended: its result is stored, or its provider has lost it. The row stays, because it counts the
 * submissions. Does nothing if another job has taken its place.
 * @param remoteId null for a direct call, which has no job
 */
export async function endJob(
  db: Database,
  call: CallAtEngine,
  { now, remoteId }: { now: Date; remoteId: string | null },
): Promise<void> {
  await db.em().nativeUpdate(Job, { ...call, remoteId }, { endedAt: now, leasedUntil: null });
}

/** Forgets the submissions of a call to an engine. */
export async function removeJob(db: Database, call: CallAtEngine): Promise<void> {
  await db.em().nativeDelete(Job, call);
}

/** Returns, by call, how many submissions of an artwork's calls may have been charged for. Leaves out calls with none. */
export async function findCharges(db: Database, artwork: string): Promise<Map<string, number>> {
  const charges = new Map<string, number>();
  for (const job of await db.em().find(Job, { artwork }, { fields: ['call', 'charges'] })) {
    if (job.charges > 0) charges.set(job.call, (charges.get(job.call) ?? 0) + job.charges);
  }
  return charges;
}

/** Returns how many submissions of a call may have been charged for, at all engines together. */
export async function countCharges(db: Database, { artwork, call }: Omit<CallAtEngine, 'engine'>): Promise<number> {
  return (await findCharges(db, artwork)).get(call) ?? 0;
}
