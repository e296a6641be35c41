/** Completes a reading to a brief: removes what the negative prompt names, and chooses what the words leave open. */
import { blend, luma, type Colour } from '../colour.ts';
import { Random, hashText } from '../random.ts';
import type { Brief, Reading, Subject } from './brief.ts';
import { read, splitNegations } from './read.ts';
import { homes, palettes, type Lamp, type Scene, type Thing, type Time, type Weather } from './vocabulary.ts';
import { words } from './words.ts';

const openScenes = 'mountains lake meadow sea desert forest abstract river garden'.split(' ') as Scene[];
const openTimes: readonly Time[] = ['day', 'golden', 'sunset', 'dusk', 'dawn', 'night'];

function homeOf(thing: Thing, random: Random): Scene {
  const home = homes.get(thing.name);
  if (home) return home;
  if (thing.place === 'table') return 'table';
  if (thing.place === 'deep') return 'underwater';
  if (thing.place === 'water') return 'sea';
  if (thing.place === 'sky') return random.pick(['mountains', 'sky', 'meadow']);
  return 'meadow';
}

function without<T>(set: ReadonlySet<T>, unwanted: ReadonlySet<T>): Set<T> {
  return new Set([...set].filter((item) => !unwanted.has(item)));
}

const people = /person|man|woman|people|human/;

function subtract(wanted: Reading, unwanted: Reading, said: string): Reading {
  const names = new Set(unwanted.subjects.map((s) => s.thing.name));
  const noPeople = people.test(said);
  const crowd = /^(person|man|woman|boy|girl|child|couple|old-|ballet|.*-(dancing|walking|running)$)/;
  return {
    scenes: wanted.scenes.filter((scene) => !unwanted.scenes.includes(scene)),
    // A night without a moon is still a night.
    time: wanted.time && unwanted.hours.has(wanted.time) ? null : wanted.time,
    hours: without(wanted.hours, unwanted.hours),
    weather: without(wanted.weather, unwanted.weather),
    lamps: without(wanted.lamps, unwanted.lamps),
    moods: without(wanted.moods, unwanted.moods),
    colours: wanted.colours.filter((c) => !unwanted.colours.some((u) => u.name === c.name)),
    subjects: wanted.subjects.filter((s) => !names.has(s.thing.name) && !(noPeople && crowd.test(s.thing.name))),
  };
}

function paletteOf(colours: readonly Colour[]): readonly Colour[] {
  const sorted = [...colours].sort((a, b) => luma(...a) - luma(...b));
  const first = sorted[0] ?? [0.5, 0.5, 0.5];
  const last = sorted[sorted.length - 1] ?? first;
  return [
    blend(first, [0.03, 0.03, 0.07], 0.78),
    blend(first, [0, 0, 0], 0.25),
    ...sorted,
    blend(last, [1, 0.99, 0.96], 0.72),
  ];
}

/** Returns the same brief for the same words and seed. */
export function resolveBrief(prompt: string, negativePrompt: string | null, seed: number): Brief {
  const { wanted, unwanted } = splitNegations(prompt);
  const said = `${negativePrompt ?? ''}, ${unwanted}`;
  const not = read(said);
  const reading = subtract(read(wanted), not, said);
  const byWords = new Random(hashText(words(prompt).join(' ') || prompt));
  const bySeed = new Random(seed).stream('brief');
  const known = reading.subjects.length + reading.scenes.length > 0;

  const allowed = <T>(items: readonly T[], refused: readonly T[]): readonly T[] => {
    const left = items.filter((item) => !refused.includes(item));
    return left.length > 0 ? left : items;
  };
  let scenes: Scene[] = [...reading.scenes];
  const first = reading.subjects[0];
  if (scenes.length === 0 && first) scenes = [homeOf(first.thing, bySeed)];
  if (scenes.length === 0) scenes = [byWords.pick(allowed(openScenes, not.scenes))];
  const afloat = reading.subjects.some((s) => s.thing.place === 'water');
  const deep = reading.subjects.length > 0 && reading.subjects.every((s) => s.thing.place === 'deep');
  if (deep && scenes.every((s) => s === 'sea' || s === 'lake') && scenes.length > 0) scenes = ['underwater'];
  if (afloat && !scenes.some((s) => ['sea', 'lake', 'river', 'underwater', 'space'].includes(s))) scenes.push('lake');

  const lamps = new Set<Lamp>(reading.lamps);
  const open = allowed(
    known ? (['day', 'golden', 'day', 'dawn', 'sunset'] as const) : openTimes,
    not.time ? [not.time, ...not.hours] : [],
  );
  let time: Time =
    reading.time ?? (reading.weather.has('rain') || reading.weather.has('fog') ? 'overcast' : bySeed.pick(open));
  if (time === 'night' && scenes.includes('city') && reading.weather.has('rain')) time = 'neon';
  if (time === 'night' && !lamps.has('crescent') && !not.lamps.has('moon') && bySeed.chance(0.7)) lamps.add('moon');
  const weather = new Set<Weather>(reading.weather);
  if (scenes.includes('winter') && !reading.time && weather.has('snow') && time === 'sunset') time = 'dawn';
  if (
    weather.has('snow') &&
    !scenes.includes('winter') &&
    !['city', 'village', 'table', 'room', 'space'].some((s) => scenes.includes(s as Scene))
  )
    scenes.push('winter');
  if (not.weather.has('clouds')) weather.add('clear');

  const colours = reading.colours.map((c) => c.colour);
  const palette = colours.length > 0 ? paletteOf(colours) : known ? null : byWords.pick(palettes);
  const paletteStrength = colours.length > 0 ? (colours.length > 1 ? 0.72 : 0.58) : 0.5;
  const subjects: Subject[] = [...reading.subjects].slice(0, 5);
  return { scenes, time, unlit: not.lamps, weather, lamps, moods: reading.moods, subjects, palette, paletteStrength };
}
