/** The words that the illustrator knows: things, scenes, times, weather, lamps, moods and colours. */
import { phrasesOf, wordPattern, wordSet } from '../../language/phrases.ts';
import { hex, type Colour } from '../colour.ts';
import vocabulary from './vocabulary.json' with { type: 'json' };

/** The places that the illustrator can paint. */
export type Scene = keyof typeof vocabulary.scenes;
export type Time = keyof typeof vocabulary.times;
export type Weather = keyof typeof vocabulary.weather;
/** A light in the sky, which is not a subject. */
export type Lamp = keyof typeof vocabulary.lamps;
export type Mood = keyof typeof vocabulary.moods;
export type Place = 'ground' | 'sky' | 'water' | 'deep' | 'table';

/** A thing that the illustrator can draw, by the name of its icon. */
export interface Thing {
  readonly name: string;
  readonly place: Place;
  /** Relative size in the picture: 1 is a person or a dog near the viewer. */
  readonly size: number;
}

const words = <T extends string>(table: Readonly<Record<T, string>>): ReadonlyMap<string, T> =>
  new Map(phrasesOf(table));
const numbers = (table: Readonly<Record<string, string>>): ReadonlyMap<string, number> =>
  new Map(phrasesOf(table).map(([word, number]) => [word, Number(number)]));

export const sceneWords = words(vocabulary.scenes);
export const timeWords = words(vocabulary.times);
export const weatherWords = words(vocabulary.weather);
export const lampWords = words(vocabulary.lamps);
export const moodWords = words(vocabulary.moods);
/** Words for lamps that also name an hour; "stars" and "moon" only suggest one. */
export const hourWords = new Set(['sunrise', 'sunset', 'setting sun', 'starry night']);

export const things: ReadonlyMap<string, Thing> = new Map(
  phrasesOf(vocabulary.things).map(([name, kind]) => {
    const [place = '', size = ''] = kind.split(' ');
    return [name, { name, place: place as Place, size: Number(size) }] as const;
  }),
);
/** Synonyms for the names of things. A word that is neither a synonym nor a name draws nothing. */
export const synonyms: ReadonlyMap<string, string> = words(vocabulary.synonyms);
/** Ambiguous words, which name a thing only after a determiner, a number, a size, a colour or an adjective. */
export const shy = wordSet(vocabulary.shy);
/** Figures of speech that name a thing without meaning it. */
export const figures = new RegExp(wordPattern(vocabulary.figures), 'giu');
/** Scene of each thing in a prompt that names no scene. */
export const homes = new Map(
  Object.entries(vocabulary.homes).flatMap(([scene, names]) => names.split(', ').map((name) => [name, scene as Scene])),
);
/** Returns whether a thing is of a kind that is drawn in its own way. One-sided things must not be mirrored. */
export const isKind = (kind: keyof typeof vocabulary.kinds, name: string): boolean =>
  wordSet(vocabulary.kinds[kind]).has(name);

export const colourWords: ReadonlyMap<string, Colour> = new Map(
  phrasesOf(vocabulary.colours).map(([name, code]) => [name, hex(code)]),
);
/** Palettes from dark to light. A hash of the words chooses one if the prompt names no colour. */
export const palettes: readonly (readonly Colour[])[] = vocabulary.palettes.map((codes) => codes.split(' ').map(hex));

/** Size factors of words such as "tiny". */
export const sizeWords = numbers(vocabulary.sizes);
/** Number words and their numbers, at most ten. */
export const numberWords = numbers(vocabulary.numbers);
/** Irregular plurals and their singulars. */
export const singulars: ReadonlyMap<string, string> = words(vocabulary.irregular);

/** Words of other scripts with their translations, the longest first. */
const scripts = phrasesOf(vocabulary.scripts).sort(([a], [b]) => b.length - a.length);

export function translateScripts(text: string): string {
  if (!/[^\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]/u.test(text)) return text;
  return scripts.reduce((out, [word, english]) => out.replaceAll(word, ` ${english} `), text.toLowerCase());
}
