/** Reads the prompt of a variation; invents nothing for what the prompt leaves open. */
import type { Brief } from '../sketch/read/brief.ts';
import type { Time } from '../sketch/read/vocabulary.ts';
import { read, splitNegations } from '../sketch/read/read.ts';
import { resolveBrief } from '../sketch/read/resolve.ts';

export type Season = 'spring' | 'summer' | 'autumn' | 'winter';

export interface Wish {
  /** Complete brief, with a default time, because the looks need one. */
  readonly brief: Brief;
  /** New time of day; null keeps the photograph's light. */
  readonly time: Time | null;
  readonly season: Season | null;
}

const seasonWords: readonly (readonly [Season, RegExp])[] = [
  ['spring', /\b(spring|springtime|cherry blossoms?|in bloom)\b/i],
  ['summer', /\b(summer|summertime|summery)\b/i],
  ['autumn', /\b(autumn|autumnal|fall (?:colou?rs|leaves|foliage)|in (?:the )?fall|indian summer|october|november)\b/i],
  ['winter', /\b(winter|wintry|snow|snowy|snowing|snowfall|snowstorm|blizzard|frozen|frosty|icy|ice age)\b/i],
];

export function wishOf(prompt: string | null, seed: number): Wish {
  const said = splitNegations(prompt ?? '').wanted;
  const reading = read(said);
  const full = resolveBrief(prompt ?? '', null, seed);
  const season = seasonWords.find(([, words]) => words.test(said))?.[0] ?? null;
  // "In autumn" is read as golden light and "in spring" as day; the season's own colours are better.
  const bySeason = season !== null && !/\b(golden|day|noon|sun\w*|light)\b/i.test(said);
  const wet = reading.weather.has('rain') || reading.weather.has('fog') || reading.weather.has('lightning');
  const named = reading.time === full.time ? reading.time : null;
  const own = bySeason && (named === 'golden' || named === 'day') ? null : named;
  const time = own ?? (wet ? full.time : null);
  const brief: Brief = {
    ...full,
    time: time ?? 'day',
    weather: reading.weather,
    lamps: time === null ? reading.lamps : full.lamps,
    palette: reading.colours.length > 0 ? full.palette : null,
    // A photograph keeps more of its own colours than a painted scene.
    paletteStrength: full.paletteStrength * 0.85,
  };
  return { brief, time, season };
}
