/** Rules: sentence forms such as `rotate|turn it? NUMBER degrees?`, and the edits that they mean. */
import { wordSet } from '../../language/phrases.ts';
import type { Edit, Sides, Tone, Where } from '../edits.ts';
import type { Trait } from './qualities.ts';
import { slots } from './slots.ts';
import type { Amount } from './words.ts';

/** The meanings of the slots that a form has filled. */
export interface Found {
  ratio?: string;
  number?: number;
  /** Share of the size that the instruction sets: 50 for "resize to 50 %". */
  percent?: number;
  /** Weight of each side, from 0 to 1. */
  sides?: Sides;
  /** 1 is clockwise. */
  turn?: 1 | -1;
  axis?: 'horizontal' | 'vertical';
  noun?: string;
  colour?: Tone;
  /** Words of a scene to draw. */
  scene?: string;
  trait?: Trait;
  /** 1 is more, -1 is less. */
  direction?: 1 | -1;
  /** Null for the whole image. */
  where?: Where | null;
}

/** Returns the possible readings of the words from a place on, the preferred one first. */
export type Slot = (words: readonly string[], at: number) => readonly { end: number; found: Found }[];

export interface Context {
  amount: Amount;
  /** A mask came with the instruction. */
  mask: boolean;
}

export interface Rule {
  /** Matches all words of a clause, or returns null. */
  form: (words: readonly string[]) => Found | null;
  /** Returns null if the words of the form make no sense together. */
  edits: (found: Found, context: Context) => Edit[] | null;
}

interface Element {
  read: Slot;
  optional: boolean;
}

/**
 * Creates one rule for each form.
 * @param forms `|` separates choices, `?` marks optional ones, and a name in capitals is a slot
 */
export function rules(edits: Rule['edits'], ...forms: string[]): Rule[] {
  return forms.map((form) => {
    const elements = form.split(' ').map((name): Element => {
      const bare = name.replace(/\?$/u, '');
      const readers = bare.split('|').map((choice) => slots[choice] ?? literal(choice));
      return { read: (words, at) => readers.flatMap((reader) => reader(words, at)), optional: bare !== name };
    });
    return { form: (words) => matched(elements, words, 0, {}), edits };
  });
}

const literal =
  (word: string): Slot =>
  (words, at) =>
    words[at] === word ? [{ end: at + 1, found: {} }] : [];

const articles = wordSet('the a an this that its some');

/** Matches the elements with the words from `at` on; an article before an element is optional. */
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

/** Returns the edits of the first rule that fits. */
export function applied(rules: readonly Rule[], words: readonly string[], context: Context): Edit[] | null {
  for (const { form, edits } of rules) {
    const found = form(words);
    const made = found && edits(found, context);
    if (made) return made;
  }
  return null;
}
