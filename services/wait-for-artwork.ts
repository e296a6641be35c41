/** `Prefer: wait=N` (RFC 7240): delays the response to a creation until the artwork has ended, for up to N seconds. */
import { withDeadline } from '../runtime/deadline.ts';
import { databaseOutageLimit, readingTimeout } from '../runtime/timeouts.ts';
import type { ArtworkView } from '../schemas/artwork.ts';
import { findArtwork } from '../store/artworks.ts';
import { findImages } from '../store/results.ts';
import type { Artwork } from '../store/entities.ts';
import { viewArtwork } from '../schemas/artwork-view.ts';
import type { ServiceDependencies } from './dependencies.ts';
import { Problem } from './problem.ts';

/** Seconds. A longer `wait` counts as this one. */
const longestWait = 60;

/** Milliseconds between two queries when no change is reported. */
const pollInterval = 1000;
/** Milliseconds that a query may take at least, however long the outage has lasted. */
const shortestQuery = 500;

/** Returns the seconds; 0 when the header is absent or not valid. */
export function preferredWait(header: string | undefined): number {
  const seconds = Number(/(?:^|[,;\s])wait\s*=\s*"?(\d{1,9})"?\s*(?:$|[,;])/i.exec(header ?? '')?.[1] ?? 0);
  return Math.min(seconds, longestWait);
}

/**
 * Returns the artwork once it has ended, or null when it has not ended in time, the client disconnected, the database
 * does not respond, or this process stops. Never throws, because the artwork is already accepted.
 * @param clientGone aborts when the client disconnects
 */
export async function waitForArtwork(
  deps: ServiceDependencies,
  id: string,
  seconds: number,
  clientGone: AbortSignal,
): Promise<ArtworkView | null> {
  try {
    const signal = AbortSignal.any([clientGone, deps.stopping]);
    const artwork = await waitUntilEnded(deps, id, seconds * 1000, signal);
    if (!artwork) return null;
    const images = await withDeadline(readingTimeout, () => findImages(deps.db, id));
    return viewArtwork(artwork, images, deps.links);
  } catch {
    return null;
  }
}

/**
 * Returns the ended artwork. Ignores database errors that last for less than `databaseOutageLimit`.
 * @returns null when the artwork is deleted, when `signal` aborts, or after `timeout` milliseconds
 * @throws Problem `unavailable` when the database does not respond
 */
export async function waitUntilEnded(
  deps: ServiceDependencies,
  id: string,
  timeout: number,
  signal: AbortSignal,
): Promise<Artwork | null> {
  const deadline = deps.now() + timeout;
  let failingSince: number | null = null;
  while (!signal.aborted) {
    const left = deadline - deps.now();
    if (left <= 0) return null;
    // Listening begins before the query, so that no change is missed between the two.
    const changed = deps.changes.next(id, Math.min(left, pollInterval), signal);
    const began = performance.now();
    const outageLeft = (failingSince ?? began) + databaseOutageLimit - began;
    const artwork = await withDeadline(Math.max(outageLeft, shortestQuery), () => findArtwork(deps.db, id)).catch(
      () => undefined,
    );
    if (artwork !== undefined) failingSince = null;
    // One failure proves no outage: this process may have been suspended meanwhile.
    else if (failingSince === null) failingSince = began;
    else if (performance.now() - failingSince >= databaseOutageLimit) throw new Problem('unavailable');
    const isDeleted = artwork === null;
    if (isDeleted) return null;
    if (artwork?.finishedAt) return artwork;
    await changed;
  }
  return null;
}
