/** The lease on a submission whose outcome is not known yet. Other attempts of the call wait while it is renewed. */
import { setTimeout as delay } from 'node:timers/promises';
import { EngineError } from '../engines/contract/index.ts';
import { type CallAtEngine, findJob, isInDoubt, isLeased, renewLease } from '../store/jobs.ts';
import type { Job } from '../store/entities.ts';
import type { Dependencies } from './dependencies.ts';

/**
 * Milliseconds for which the lease of a frozen process lasts. A direct call is lost with its process, so another attempt
 * waits longer before it pays again.
 */
export const leases = { queue: 15_000, direct: 30_000 } as const;

/** Milliseconds between two renewals. */
const renewalInterval = 2500;
/** Milliseconds between two reads of a submission that another attempt has made. */
const pause = 250;
/**
 * Milliseconds for which a lease must have been over. An attempt that could not reach the database, as no other could,
 * then has the time to renew its lease.
 */
const grace = renewalInterval + 1500;

/** Another attempt has submitted the call. The next attempt finds that submission. */
export class CallTaken extends EngineError {
  constructor() {
    super('provider_unavailable', 'Another attempt has submitted this call', { holdsJob: true });
  }
}

/**
 * Returns the row of the call as soon as the outcome of its last submission is known, or the attempt that made it is
 * dead.
 */
export async function settledJob(
  { db }: Pick<Dependencies, 'db'>,
  call: CallAtEngine,
  signal: AbortSignal,
): Promise<Job | null> {
  for (let overSince: number | null = null; ;) {
    const job = await findJob(db, call);
    if (!job || !isInDoubt(job)) return job;
    if (await isLeased(db, call)) overSince = null;
    else overSince ??= performance.now();
    if (overSince !== null && performance.now() - overSince >= grace) return job;
    await delay(pause, undefined, { signal });
  }
}

export interface SubmissionLease {
  /** @throws CallTaken when another attempt has submitted the call, for example while this process was frozen */
  confirm(): Promise<void>;
  /** Stops the renewals. */
  end(): void;
}

/**
 * Keeps the lease on a submission that has just been counted.
 * @param submissions the number of submissions including this one
 */
export function keepLease(
  { db }: Pick<Dependencies, 'db'>,
  call: CallAtEngine,
  { submissions, lease }: { submissions: number; lease: number },
): SubmissionLease {
  let renewedAt = performance.now();
  const renew = async () => {
    const startedAt = performance.now();
    const isOurs = await renewLease(db, call, { submissions, lease });
    if (isOurs) renewedAt = startedAt;
    return isOurs;
  };
  // The lease outlasts several failed renewals.
  const timer = setInterval(() => void renew().catch(() => undefined), renewalInterval);
  return {
    async confirm() {
      // Within half of the lease, no other attempt can have taken over.
      if (performance.now() - renewedAt < lease / 2) return;
      if (!(await renew())) throw new CallTaken();
    },
    end: () => clearInterval(timer),
  };
}
