/** Completes a reading to a brief: removes everything that the prompt excludes and chooses defaults for the rest. */
import { luma } from '../../pixels/luma.ts';
import { blend, type Colour } from '../colour.ts';
import { Random, hashText } from '../random.ts';
import type { Brief, Reading } from './brief.ts';
import { read, splitNegations } from './read.ts';
import { homes, palettes, type Lamp, type Scene, type Thing, type Time, type Weather } from './vocabulary.ts';
import { words } from './words.ts';

const openScenes = 'mountains lake meadow sea desert forest abstract river garden'.split(' ') as Scene[];
const openTimes: readonly Time[] = ['day', 'golden', 'sunset', 'dusk', 'dawn', 'night'];
const usualTimes: readonly Time[] = ['day', 'golden', 'day', 'dawn', 'sunset'];
const waters: readonly Scene[] = ['sea', 'lake', 'river', 'underwater', 'space'];
const snowless: readonly Scene[] = ['winter', 'city', 'village', 'table', 'room', 'space'];
const homeByPlace = { ground: 'meadow', table: 'table', deep: 'underwater', water: 'sea' } as const;

const people = /person|man|woman|people|human/;
const person = /^(person|man|woman|boy|girl|child|couple|old-|ballet|.*-(dancing|walking|running)$)/;

function homeOf({ name, place }: Thing, random: Random): Scene {
  return homes.get(name) ?? (place === 'sky' ? random.pick(['mountains', 'sky', 'meadow']) : homeByPlace[place]);
}

/** Removes everything unwanted from a reading. @param said the text of which `unwanted` is the reading */
function subtract(wanted: Reading, unwanted: Reading, said: string): Reading {
  const without = <T>(items: ReadonlySet<T>, others: ReadonlySet<T>): Set<T> =>
    new Set([...items].filter((item) => !others.has(item)));
  const names = new Set(unwanted.subjects.map(({ thing }) => thing.name));
  const noPeople = people.test(said);
  return {
    scenes: wanted.scenes.filter((scene) => !unwanted.scenes.includes(scene)),
    // "Night without a moon" excludes the moon, not the night.
    time: wanted.time && unwanted.hours.has(wanted.time) ? null : wanted.time,
    hours: without(wanted.hours, unwanted.hours),
    weather: without(wanted.weather, unwanted.weather),
    lamps: without(wanted.lamps, unwanted.lamps),
    moods: without(wanted.moods, unwanted.moods),
    colours: wanted.colours.filter(({ name }) => !unwanted.colours.some((other) => other.name === name)),
    subjects: wanted.subjects.filter(({ thing: { name } }) => !names.has(name) && !(noPeople && person.test(name))),
  };
}

/** Returns a palette from dark to light. */
function paletteOf(colours: readonly Colour[]): readonly Colour[] {
  const sorted = [...colours].sort((a, b) => luma(...a) - luma(...b));
  const [first, last] = [sorted[0]!, sorted.at(-1)!];
  const darker = [blend(first, [0.03, 0.03, 0.07], 0.78), blend(first, [0, 0, 0], 0.25)];
  return [...darker, ...sorted, blend(last, [1, 0.99, 0.96], 0.72)];
}

/** Returns the items that are not refused, or all items if all are refused. */
function allowed<T>(items: readonly T[], refused: readonly T[]): readonly T[] {
  const left = items.filter((item) => !refused.includes(item));
  return left.length > 0 ? left : items;
}

/** Returns the brief of a prompt; it depends only on the words of both prompts and the seed. */
export function resolveBrief(prompt: string, negativePrompt: string | null, seed: number): Brief {
  const { wanted, unwanted } = splitNegations(prompt);
  const said = `${negativePrompt ?? ''}, ${unwanted}`;
  const not = read(said);
  const reading = subtract(read(wanted), not, said);
  const { subjects, moods } = reading;
  const byWords = new Random(hashText(words(prompt).join(' ') || prompt));
  const bySeed = new Random(seed).stream('brief');
  const isKnown = subjects.length + reading.scenes.length > 0;
  const places = subjects.map(({ thing }) => thing.place);

  let scenes: Scene[] = [...reading.scenes];
  if (scenes.length === 0)
    scenes = [subjects[0] ? homeOf(subjects[0].thing, bySeed) : byWords.pick(allowed(openScenes, not.scenes))];
  const isDeep = subjects.length > 0 && places.every((place) => place === 'deep');
  if (isDeep && scenes.every((scene) => scene === 'sea' || scene === 'lake')) scenes = ['underwater'];
  if (places.includes('water') && !scenes.some((scene) => waters.includes(scene))) scenes.push('lake');

  const lamps = new Set<Lamp>(reading.lamps);
  const weather = new Set<Weather>(reading.weather);
  const open = allowed(isKnown ? usualTimes : openTimes, not.time ? [not.time, ...not.hours] : []);
  let time: Time = reading.time ?? (weather.has('rain') || weather.has('fog') ? 'overcast' : bySeed.pick(open));
  if (time === 'night' && scenes.includes('city') && weather.has('rain')) time = 'neon';
  if (time === 'night' && !lamps.has('crescent') && !not.lamps.has('moon') && bySeed.chance(0.7)) lamps.add('moon');
  if (weather.has('snow') && !scenes.some((scene) => snowless.includes(scene))) scenes.push('winter');
  if (not.weather.has('clouds')) weather.add('clear');

  const colours = reading.colours.map(({ colour }) => colour);
  const palette = colours.length > 0 ? paletteOf(colours) : isKnown ? null : byWords.pick(palettes);
  const paletteStrength = colours.length > 1 ? 0.72 : colours.length > 0 ? 0.58 : 0.5;
  const shown = subjects.slice(0, 5);
  return { scenes, time, unlit: not.lamps, weather, lamps, moods, subjects: shown, palette, paletteStrength };
}
