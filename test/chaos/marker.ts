/** Marks every prompt of a run, so that a provider's requests and leaked prompts can be found by it. */
import type { Random } from './random.ts';

const pattern = /zq[0-9a-f]{12}/;

export const newMarker = (random: Random): string => `zq${random.hex(12)}`;

/** Returns the first marker in a text; null when there is none. */
export const markerIn = (text: string): string | null => pattern.exec(text)?.[0] ?? null;
