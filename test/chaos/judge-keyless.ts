/** Judges what came of creations without an `Idempotency-Key`. */
import type { Unaccepted } from './load.ts';
import { markerIn } from './marker.ts';
import type { System } from './system.ts';

/** A rejected one must not become an artwork. One whose response was lost may become one. */
export function judgeKeyless({ receiver }: System, { rejected, lost }: Unaccepted): string[] {
  const idsByMarker = new Map<string, Set<string>>();
  for (const { event, raw } of receiver.received) {
    const marker = markerIn(raw.toString()) ?? '';
    idsByMarker.set(marker, (idsByMarker.get(marker) ?? new Set()).add(event.id));
  }
  const countOf = (marker: string) => idsByMarker.get(marker)?.size ?? 0;
  return [
    ...rejected.filter((marker) => countOf(marker) > 0).map((marker) => `The rejected creation ${marker} has an event`),
    ...lost
      .filter(({ marker }) => countOf(marker) > 1)
      .map(({ marker }) => `The creation ${marker} without a response became ${countOf(marker)} artworks`),
  ];
}

/** Returns the ids of the artworks whose creation got no response. */
export function idsWithoutResponse({ receiver }: System, { lost }: Unaccepted): Set<string> {
  const markers = new Set(lost.map(({ marker }) => marker));
  const events = receiver.received.filter(({ raw }) => markers.has(markerIn(raw.toString()) ?? ''));
  return new Set(events.map(({ event }) => event.id));
}
