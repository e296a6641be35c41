/** Pauses destinations of webhooks that fail for days, and lets one attempt through now and then. */
import {
  claimProbe,
  type Destination,
  destinationId,
  findFailing,
  recordFailure,
  resume,
} from '../store/destinations.ts';
import type { FailingDestination } from '../store/entities.ts';
import type { Dependencies } from './dependencies.ts';

/** Null for a destination that does not fail. */
type State = Pick<FailingDestination, 'pausedAt' | 'probeAt'> | null;

export const stateOf = ({ db }: Dependencies, destination: Destination): Promise<State> => findFailing(db, destination);

/** Returns whether no attempt may be made now. @param now epoch milliseconds */
export function isPaused(state: State, now: number): boolean {
  return state?.pausedAt != null && state.probeAt != null && state.probeAt.getTime() > now;
}

/** Returns whether an attempt may be made. Of several to a paused destination, one may. */
export async function claimAttempt(
  { db, now }: Dependencies,
  destination: Destination,
  state: State,
): Promise<boolean> {
  return state?.pausedAt == null || claimProbe(db, destination, new Date(now()));
}

/**
 * Records an attempt, which resumes its destination, or may pause it.
 * @param attempt `error`: why the receiver has not accepted the event; null when it has. `expiresAt`: of the artwork
 */
export async function recordAttempt(
  deps: Dependencies,
  destination: Destination,
  { error, expiresAt }: { error: string | null; expiresAt: Date },
): Promise<void> {
  const { db, log, metrics, pauseAfter } = deps;
  const now = new Date(deps.now());
  const fields = { orgId: destination.org, destination: destinationId(destination) };
  if (error === null) {
    if (await resume(db, destination, now)) log.info(fields, 'A destination of webhooks works again');
  } else if (await recordFailure(db, destination, { error, now, expiresAt, pauseAfter })) {
    metrics.pausedDestinations.inc();
    log.warn({ ...fields, error }, 'Paused a destination of webhooks');
  }
}
