/** Cancels an artwork that has not ended. */
import type { Outcome } from '../schemas/artwork.ts';
import { endArtwork } from './artworks.ts';
import type { Database } from './database.ts';
import type { IdPrefix } from './ids.ts';
import type { Links } from './links.ts';
import { viewArtwork, viewEvent } from '../schemas/artwork-view.ts';

interface Dependencies {
  db: Database;
  links: Links;
  /** Epoch milliseconds. */
  now(): number;
  newId(prefix: IdPrefix): string;
}

/** @returns the status after this call or an earlier end; null when the artwork is deleted */
export function cancelArtwork({ db, links, now, newId }: Dependencies, id: string): Promise<Outcome | null> {
  return endArtwork(db, id, { hasFailures: false }, ({ artwork }) => {
    const ending = {
      status: 'CANCELED' as const,
      errorCode: null,
      errorMessage: null,
      failures: null,
      charged: 0,
      styleDnaId: null,
      finishedAt: new Date(now()),
      eventId: newId('evt'),
    };
    const event = viewEvent(viewArtwork({ ...artwork, ...ending }, [], links), ending.eventId, ending.finishedAt);
    return { ending: { ...ending, eventBody: JSON.stringify(event) }, style: null };
  });
}
