/** Reads colours: words, shades and codes. */
import { blend, hex } from '../../sketch/colour.ts';
import { colourWords } from '../../sketch/read/vocabulary.ts';
import { phrasesOf, wordSet } from '../../language/phrases.ts';
import type { Tone } from '../edits.ts';

/** Shares of white (positive) or black (negative) that a word mixes into the colour after it. */
const shades: ReadonlyMap<string, number> = new Map(
  phrasesOf({
    '0.55': 'pale',
    '0.5': 'pastel, baby',
    '0.45': 'light',
    '0.4': 'sky',
    '0.35': 'soft',
    '0.2': 'icy',
    '0': 'bright, neon, hot, pure, plain, solid, bold, cold, cool, warm',
    '-0.1': 'rich',
    '-0.15': 'royal',
    '-0.3': 'deep',
    '-0.4': 'forest',
    '-0.45': 'dark',
    '-0.55': 'navy',
    '-0.65': 'midnight',
  }).map(([word, share]) => [word, Number(share)]),
);
const vivid = wordSet('bright neon hot bold pure');
const exact: ReadonlyMap<string, Tone> = new Map([
  ['white', hex('#ffffff')],
  ['black', hex('#000000')],
  ['blonde', [0.86, 0.72, 0.46]],
  ['blond', [0.86, 0.72, 0.46]],
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
    const shade = shades.get(word);
    const other = shade === undefined ? colourNamed(word) : null;
    if (!tone || (shade === undefined && !other)) return null;
    if (other) tone = blend(tone, other, 0.35);
    else tone = blend(tone, (shade ?? 0) > 0 ? [1, 1, 1] : [0, 0, 0], Math.abs(shade ?? 0));
    if (vivid.has(word)) tone = saturated(tone);
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
    const found = exact.get(stem) ?? colourWords.get(stem);
    if (found) return found;
  }
  return null;
}

/** Returns the same hue, as pure as display space allows. */
function saturated(c: Tone): Tone {
  const [low, high] = [Math.min(...c), Math.max(...c)];
  if (high - low < 0.05) return c;
  const f = (n: number): number => (((n - low) / (high - low)) * 0.85 + 0.08) * Math.max(high, 0.9);
  return [f(c[0]), f(c[1]), f(c[2])];
}
