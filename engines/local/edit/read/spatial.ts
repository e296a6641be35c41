/** Reads shapes and sides: "16:9", "square", "the left side". */
import type { Sides } from '../edits.ts';
import { saysOnly, wordSet } from './words.ts';

const shapes: readonly (readonly [RegExp, string])[] = [
  [/\bsquare\b|\binstagram\b/u, '1:1'],
  [
    /\bwide ?screen\b|\blandscape\b|\bwallpaper\b|\bhorizontal (?:format|orientation|frame)\b|\bwide (?:format|frame)\b/u,
    '16:9',
  ],
  [/\bportrait(?: (?:format|orientation))?\b|\bvertical (?:format|orientation|frame)\b/u, '4:5'],
  [/\b(?:story|stories|reels?|tiktok|phone|mobile)\b/u, '9:16'],
  [/\bcinemascope\b|\bultra ?wide\b|\bpanoram(?:a|ic)\b/u, '21:9'],
];
const ratioed = /(\d{1,3}(?:\.\d+)?)\s*(?::|\/|x|×| by | to | on )\s*(\d{1,3}(?:\.\d+)?)(?!\d)/u;
const spatial = wordSet(
  'extend expand rest new empty missing areas outpaint out-paint uncrop un-crop widen enlarge add more make fill out zoom pad space room canvas frame area sky ground it the a an to of on at in with into by from for and & so is that its wide wider taller bigger left right top bottom side sides edge edges border borders above below up down upward upwards downward downwards horizontally horizontal vertically vertical both all every each around directions format aspect ratio square widescreen landscape portrait orientation crop trim cut off away reframe recrop shape picture content background overhead head image instagram story stories wallpaper reel reels phone mobile panorama panoramic width height hand turn change convert resize set get bring adjust reformat ultrawide post very be as version end ends four outward outwards beyond',
);

export function ratioIn(text: string): string | null {
  const found = ratioed.exec(text);
  if (found && Number(found[1]) > 0 && Number(found[2]) > 0) return `${found[1] ?? ''}:${found[2] ?? ''}`;
  return shapes.find(([pattern]) => pattern.test(text))?.[1] ?? null;
}

/** Whether a text speaks of nothing but the frame; of two ratios, one would go unread. */
export function isSpatial(text: string): boolean {
  return saysOnly(text.replace(ratioed, ' '), spatial);
}

/** @param share percent, for each side that is named */
export function sidesOf(text: string, share: number): Sides | null {
  const has = (pattern: RegExp): number => (pattern.test(text) ? share : 0);
  const wide = /\b(?:horizontal(?:ly)?|wider|widen|width|sideways|both sides|sides|left & right)\b/u;
  const tall = /\b(?:vertical(?:ly)?|taller|height|top & bottom)\b/u;
  const all =
    /\b(?:all (?:sides|around|directions|edges|four sides)|every side|each side|zoom out|borders?|edges|around)\b/u;
  const sides: Sides = {
    left: has(/\bleft\b/u) || has(wide) / 2,
    right: has(/\bright\b/u) || has(wide) / 2,
    top: has(/\b(?:top|above|up|upwards?|sky|overhead|head)\b/u) || has(tall) / 2,
    bottom: has(/\b(?:bottom|below|down|downwards?|ground|under)\b/u) || has(tall) / 2,
  };
  if (all.test(text) && !/\bboth sides\b/u.test(text)) return { left: share, right: share, top: share, bottom: share };
  return Object.values(sides).some((side) => side > 0) ? sides : null;
}
