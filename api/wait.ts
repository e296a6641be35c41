/** `Prefer: wait=N`: holds the answer of a creation until the artwork has ended, for N seconds at most. RFC 7240. */
import { setTimeout as delay } from 'node:timers/promises';
import type { ArtworkView } from '../schemas/artwork.ts';
import { findArtwork, findImages } from '../store/artworks.ts';
import { viewArtwork } from '../store/view.ts';
import type { Dependencies } from './dependencies.ts';

const longest = 60;

/** Milliseconds between two looks. */
const pause = 100;

/** @returns seconds; 0 when the header is absent or makes no sense */
export function preferredWait(header: string | undefined): number {
  const seconds = Number(/(?:^|[,;\s])wait\s*=\s*"?(\d{1,9})"?\s*(?:$|[,;])/i.exec(header ?? '')?.[1] ?? 0);
  return Math.min(seconds, longest);
}

/**
 * The artwork is accepted already, so nothing here may fail the request.
 * @returns null when the artwork had not ended in time, the client went away, or this process stops
 */
export async function waitForEnd(
  deps: Dependencies,
  id: string,
  seconds: number,
  isGone: () => boolean,
): Promise<ArtworkView | null> {
  const giveUpAt = deps.now() + seconds * 1000;
  while (deps.now() < giveUpAt && !isGone() && !deps.stopping.aborted) {
    await delay(pause);
    const artwork = await findEnded(deps, id).catch(() => null);
    if (artwork) return artwork;
  }
  return null;
}

async function findEnded(deps: Dependencies, id: string): Promise<ArtworkView | null> {
  const artwork = await findArtwork(deps.db, id);
  return artwork?.finishedAt ? viewArtwork(artwork, await findImages(deps.db, id), deps.links) : null;
}
