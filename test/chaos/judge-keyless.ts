/** Judges creations without an `Idempotency-Key` that got no 202. */
import type { Facts } from './load.ts';
import { markerIn } from './marker.ts';
import type { System } from './system.ts';

/** Each may have become at most one artwork. */
export function judgeKeyless(system: System, unaccepted: readonly Facts[]): string[] {
  return [...idsOf(system, unaccepted)]
    .filter(([, ids]) => ids.size > 1)
    .map(([marker, { size }]) => `The creation ${marker} without a 202 became ${size} artworks`);
}

/** Returns the ids of the artworks that have sent an event, by marker. */
export function idsOf({ receiver }: System, unaccepted: readonly Facts[]): Map<string, Set<string>> {
  const ids = new Map(unaccepted.map(({ marker }) => [marker, new Set<string>()]));
  for (const { event, raw } of receiver.received) ids.get(markerIn(raw.toString()) ?? '')?.add(event.id);
  return ids;
}
