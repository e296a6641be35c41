/** Reads colours: words, shades and codes. */
import { blend, hex } from '../../sketch/colour.ts';
import { colourWords } from '../../sketch/read/vocabulary.ts';
import { phrasesOf } from '../../language/phrases.ts';
import type { Tone } from '../edits.ts';
import vocabulary from './vocabulary.json' with { type: 'json' };

/** Shares of white (positive) or black (negative) that a word mixes into the colour after it. */
const shades: ReadonlyMap<string, number> = new Map(
  phrasesOf(vocabulary.shades).map(([word, share]) => [word, Number(share)]),
);
const pure: ReadonlyMap<string, Tone> = new Map([
  ['white', hex('#ffffff')],
  ['black', hex('#000000')],
  ['blonde', hex('#dbb875')],
  ['blond', hex('#dbb875')],
]);

/** Returns the colour of "dark blue", "#ff8800", "greenish" or "bluer"; null for all other text. */
export function colourOf(phrase: string): Tone | null {
  const text = phrase
    .replace(/^(?:an?|the|its?|of) /u, '')
    .replace(/ (?:colou?r|tone|tint|shade|hue)(?:ed|s)?$/u, '')
    .trim();
  const digits = /^#([\da-f]{3}|[\da-f]{6})$/u.exec(text)?.[1];
  if (digits) return hex(`#${digits.length === 3 ? digits.replace(/./gu, '$&$&') : digits}`);
  const words = text.split(/[\s-]+/u);
  let tone = colourNamed(words.pop() ?? '');
  for (const word of words) {
    const share = shades.get(word);
    if (!tone || share === undefined) return null;
    tone = blend(tone, share > 0 ? [1, 1, 1] : [0, 0, 0], Math.abs(share));
  }
  return tone;
}

/** "Bluer" and "greenish", but not "silver". */
export const isComparative = (word: string): boolean => /(?:er|ish)$/u.test(word) && !colourWords.has(word);

function colourNamed(word: string): Tone | null {
  const stems = [
    word.replace(/(?:ish|er)$/u, ''),
    word.replace(/(?:ish|er)$/u, 'e'),
    word.replace(/(.)\1(?:ish|er)$/u, '$1'),
  ];
  for (const stem of [word, ...stems]) {
    const found = pure.get(stem) ?? colourWords.get(stem);
    if (found) return found;
  }
  return null;
}
