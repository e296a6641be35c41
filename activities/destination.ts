/** Pauses destinations of webhooks that fail for days, and lets one attempt through now and then. */
import {
  claimProbe,
  type Destination,
  findFailing,
  recordFailure,
  resume,
  returnProbe,
} from '../store/destinations.ts';
import type { FailingDestination } from '../store/entities.ts';
import type { Dependencies } from './dependencies.ts';

/** Null for a destination that does not fail. */
export type DestinationState = Pick<FailingDestination, 'pausedAt' | 'probeAt'> | null;

/** Returns the state of a destination before an attempt. If the service pauses no destinations, none counts as paused. */
export async function stateOf({ db, pauseAfter }: Dependencies, { id }: Destination): Promise<DestinationState> {
  const state = await findFailing(db, id);
  return state && pauseAfter === null ? { pausedAt: null, probeAt: null } : state;
}

/** Returns whether no attempt may be made now. @param now epoch milliseconds */
export function isPaused(state: DestinationState, now: number): boolean {
  return state?.pausedAt != null && state.probeAt != null && state.probeAt.getTime() > now;
}

/** Returns whether an attempt may be made. While the destination is paused, only one of several attempts may be made. */
export async function claimAttempt(
  { db, now }: Dependencies,
  { id }: Destination,
  state: DestinationState,
): Promise<boolean> {
  return state?.pausedAt == null || claimProbe(db, id, new Date(now()));
}

/** Returns the claim of an attempt that was not made, so that the repetition of this step can make it. */
export async function returnClaim(
  { db, now }: Dependencies,
  { id }: Destination,
  state: DestinationState,
): Promise<void> {
  if (state?.pausedAt != null) await returnProbe(db, id, new Date(now()));
}

interface Attempt {
  /** The id of the artwork. */
  artwork: string;
  /** The state before the attempt. */
  state: DestinationState;
  /** Why the receiver has not accepted the event; null when it has. */
  error: string | null;
  /** When the artwork expires. */
  expiresAt: Date;
}

/** Records an attempt, which resumes its destination, or may pause it. Never fails, because the attempt is stored already. */
export async function recordAttempt(deps: Dependencies, destination: Destination, attempt: Attempt): Promise<void> {
  const { db, log, metrics, pauseAfter } = deps;
  const { state, error, ...ofArtwork } = attempt;
  const now = new Date(deps.now());
  const fields = { orgId: destination.org, destination: destination.id };
  try {
    if (error === null) {
      if (state && (await resume(db, destination, now))) log.info(fields, 'A destination of webhooks works again');
    } else if (await recordFailure(db, destination, { ...ofArtwork, error, now, pauseAfter })) {
      metrics.pausedDestinations.inc();
      log.warn({ ...fields, error }, 'Paused a destination of webhooks');
    }
  } catch (err) {
    log.warn({ ...fields, err }, 'An attempt was not counted for its destination');
  }
}
