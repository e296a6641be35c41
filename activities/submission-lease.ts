/**
 * The lease on a submission whose outcome is unknown. The submitting attempt renews it; other attempts of the call wait
 * for the outcome, and may submit the call (take it over) only after the lease has expired.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { EngineError } from '../engines/contract/index.ts';
import { type CallAtEngine, findJob, isInDoubt, isLeased, renewLease } from '../store/jobs.ts';
import type { Job } from '../store/entities.ts';
import type { Dependencies } from './dependencies.ts';

/**
 * Milliseconds until a lease expires that is not renewed. A direct call is lost with its process, so another attempt
 * waits longer before it pays again.
 */
export const leases = { queue: 15_000, direct: 30_000 } as const;

/** Milliseconds between two renewals. */
const renewalInterval = 2500;
/** Milliseconds between two reads of a submission that another attempt has made. */
const pollInterval = 250;
/** Milliseconds that a lease must have been expired, so that its owner can renew it after an outage of the database. */
const renewalGrace = renewalInterval + 1500;

/** Another attempt has submitted the call. The next attempt finds that submission. */
export class CallTaken extends EngineError {
  constructor() {
    super('provider_unavailable', 'Another attempt has submitted this call', { holdsJob: true });
  }
}

/**
 * Waits until the outcome of the call's last submission is known, or its lease has expired, because the worker has died.
 * @returns the row of the call; null before the first submission
 */
export async function awaitOutcome(
  { db }: Pick<Dependencies, 'db'>,
  call: CallAtEngine,
  signal: AbortSignal,
): Promise<Job | null> {
  for (let expiredSince: number | null = null; ;) {
    const job = await findJob(db, call);
    if (!job || !isInDoubt(job)) return job;
    if (await isLeased(db, call)) expiredSince = null;
    else expiredSince ??= performance.now();
    if (expiredSince !== null && performance.now() - expiredSince >= renewalGrace) return job;
    await delay(pollInterval, undefined, { signal });
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
 * @param countedAt the time before the submission was counted, by `performance.now()`
 */
export function keepLease(
  { db }: Pick<Dependencies, 'db'>,
  call: CallAtEngine,
  { submissions, lease, countedAt }: { submissions: number; lease: number; countedAt: number },
): SubmissionLease {
  let renewedAt = countedAt;
  const renew = async () => {
    const startedAt = performance.now();
    const isOurs = await renewLease(db, call, { submissions, lease });
    if (isOurs) renewedAt = startedAt;
    else clearInterval(timer);
    return isOurs;
  };
  // The lease outlasts several failed renewals.
  const timer: NodeJS.Timeout = setInterval(() => void renew().catch(() => undefined), renewalInterval);
  return {
    async confirm() {
      // Within half of the lease, no other attempt can have taken over.
      if (performance.now() - renewedAt < lease / 2) return;
      if (!(await renew())) throw new CallTaken();
    },
    end: () => clearInterval(timer),
  };
}
