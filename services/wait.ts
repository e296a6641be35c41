/** `Prefer: wait=N`: holds the answer of a creation until the artwork has ended, for N seconds at most. RFC 7240. */
import type { ArtworkView } from '../schemas/artwork.ts';
import { findArtwork, findImages } from '../store/artworks.ts';
import type { Artwork } from '../store/entities.ts';
import { viewArtwork } from '../schemas/artwork-view.ts';
import type { ServiceDependencies } from './dependencies.ts';

const longest = 60;

/** Milliseconds after which to look again although nothing was heard. */
const between = 1000;

/** @returns seconds; 0 when the header is absent or makes no sense */
export function preferredWait(header: string | undefined): number {
  const seconds = Number(/(?:^|[,;\s])wait\s*=\s*"?(\d{1,9})"?\s*(?:$|[,;])/i.exec(header ?? '')?.[1] ?? 0);
  return Math.min(seconds, longest);
}

/**
 * The artwork is accepted already, so nothing here may fail the request.
 * @param signal aborts when the client has gone away
 * @returns null when the artwork had not ended in time, the client went away, or this process stops
 */
export async function waitForEnd(
  deps: ServiceDependencies,
  id: string,
  seconds: number,
  signal: AbortSignal,
): Promise<ArtworkView | null> {
  try {
    const artwork = await untilEnded(deps, id, seconds * 1000, AbortSignal.any([signal, deps.stopping]));
    return artwork && viewArtwork(artwork, await findImages(deps.db, id), deps.links);
  } catch {
    return null;
  }
}

/** @returns the artwork, or null when it has not ended within so many milliseconds; a database that is away counts as not yet */
export async function untilEnded(
  deps: ServiceDependencies,
  id: string,
  atMost: number,
  signal: AbortSignal,
): Promise<Artwork | null> {
  const giveUpAt = deps.now() + atMost;
  while (!signal.aborted) {
    const left = giveUpAt - deps.now();
    if (left <= 0) return null;
    // Listening begins before the look, so that no change falls in between.
    const changed = deps.changes.next(id, Math.min(left, between), signal);
    const artwork = await findArtwork(deps.db, id).catch(() => undefined);
    // It was removed: nothing is left to wait for.
    if (artwork === null) return null;
    if (artwork?.finishedAt) return artwork;
    await changed;
  }
  return null;
}
