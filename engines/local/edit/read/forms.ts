/** Matches the words of a clause with sentence forms, such as `rotate|turn it? by? NUMBER degrees?`. */
import { wordSet } from '../../language/phrases.ts';
import type { Sides, Tone, Where } from '../edits.ts';
import type { Trait } from './qualities.ts';

/** The meanings of the slots that a form has filled. */
export interface Found {
  ratio?: string;
  number?: number;
  /** Weight of each side, from 0 to 1. */
  sides?: Sides;
  /** 1 is clockwise. */
  turn?: 1 | -1;
  axis?: 'horizontal' | 'vertical';
  noun?: string;
  /** The noun in the words of the clause: "skin" for the noun "face". */
  said?: string;
  /** A noun that stands for the subject: "him". */
  pronoun?: true;
  colour?: Tone;
  /** Words of a scene to draw. */
  scene?: string;
  trait?: Trait;
  /** 1 is more, -1 is less. */
  direction?: 1 | -1;
  /** Null for the whole image. */
  where?: Where | null;
  state?: string;
}

/** A reading of the words from a place on. */
export interface Candidate {
  end: number;
  found: Found;
}

/** Returns the possible readings of a slot, the preferred one first. */
export type Slot = (words: readonly string[], at: number) => readonly Candidate[];

interface Element {
  read: Slot;
  optional: boolean;
}

/** Matches all words of a clause, or returns null. */
export type Form = (words: readonly string[]) => Found | null;

const articles = wordSet('the a an this that its some');

/** @param slots the readers of the words in capitals */
export function form(pattern: string, slots: Readonly<Record<string, Slot>>): Form {
  const elements = pattern.split(' ').map((name): Element => {
    const bare = name.replace(/\?$/u, '');
    const readers = bare.split('|').map((choice): Slot => slots[choice] ?? literal(choice));
    const read: Slot = (words, at) => readers.flatMap((reader) => reader(words, at));
    return { read, optional: bare !== name };
  });
  return (words) => matched(elements, words, 0, {});
}

const literal =
  (word: string): Slot =>
  (words, at) =>
    words[at] === word ? [{ end: at + 1, found: {} }] : [];

/** Skips an article before any element. */
function matched(
  [element, ...rest]: readonly Element[],
  words: readonly string[],
  at: number,
  found: Found,
): Found | null {
  if (!element) return at === words.length ? found : null;
  const readings = [...element.read(words, at), ...(articles.has(words[at] ?? '') ? element.read(words, at + 1) : [])];
  for (const reading of readings) {
    const whole = matched(rest, words, reading.end, { ...found, ...reading.found });
    if (whole) return whole;
  }
  return element.optional ? matched(rest, words, at, found) : null;
}
