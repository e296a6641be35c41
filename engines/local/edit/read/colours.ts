/** Colour words and codes. */
import { colourWords } from '../../sketch/read/colours.ts';
import type { Tone } from '../edits.ts';

const code = /^#([\da-f]{3}|[\da-f]{6})$/u;
const shades: ReadonlyMap<string, number> = new Map([
  ['light', 0.45],
  ['pale', 0.55],
  ['pastel', 0.5],
  ['soft', 0.35],
  ['baby', 0.5],
  ['sky', 0.4],
  ['dark', -0.45],
  ['deep', -0.3],
  ['royal', -0.15],
  ['forest', -0.4],
  ['midnight', -0.65],
  ['navy', -0.55],
  ['bright', 0],
  ['neon', 0],
  ['hot', 0],
  ['pure', 0],
  ['plain', 0],
  ['solid', 0],
  ['bold', 0],
  ['rich', -0.1],
  ['cold', 0],
  ['cool', 0],
  ['warm', 0],
  ['icy', 0.2],
]);
const vivid = new Set(['bright', 'neon', 'hot', 'bold', 'pure']);
const exact: ReadonlyMap<string, Tone> = new Map([
  ['white', [1, 1, 1]],
  ['black', [0, 0, 0]],
  ['blonde', [0.86, 0.72, 0.46]],
  ['blond', [0.86, 0.72, 0.46]],
]);

/** "dark blue", "#ff8800", "greenish", "bluer"; null where it is no colour. */
export function colourOf(phrase: string): Tone | null {
  const text = phrase
    .replace(/^(?:an?|the|its?|of) /u, '')
    .replace(/ (?:colou?r|tone|tint|shade|hue)(?:ed|s)?$/u, '')
    .trim();
  const digits = code.exec(text)?.[1];
  if (digits) {
    const long = digits.length === 3 ? [...digits].map((d) => d + d).join('') : digits;
    const n = Number.parseInt(long, 16);
    return [(n >> 16) / 255, ((n >> 8) & 255) / 255, (n & 255) / 255];
  }
  const words = text.split(/[\s-]+/u);
  const base = colourNamed(words.at(-1) ?? '');
  if (!base) return null;
  let tone = base;
  for (const word of words.slice(0, -1)) {
    const shade = shades.get(word);
    if (shade === undefined) {
      const other = colourNamed(word);
      if (!other) return null;
      tone = mixed(tone, other, 0.35);
    } else {
      tone = mixed(tone, shade > 0 ? [1, 1, 1] : [0, 0, 0], Math.abs(shade));
      if (vivid.has(word)) tone = pushed(tone);
    }
  }
  return tone;
}

function colourNamed(word: string): Tone | null {
  for (const stem of [
    word,
    word.replace(/(?:ish|er)$/u, ''),
    word.replace(/(?:ish|er)$/u, 'e'),
    word.replace(/(.)\1(?:ish|er)$/u, '$1'),
  ]) {
    const found = exact.get(stem) ?? colourWords.get(stem);
    if (found) return found;
  }
  return null;
}

const mixed = (a: Tone, b: Tone, t: number): Tone => [
  a[0] + (b[0] - a[0]) * t,
  a[1] + (b[1] - a[1]) * t,
  a[2] + (b[2] - a[2]) * t,
];

/** The same hue as pure as display space has it. */
function pushed(c: Tone): Tone {
  const [low, high] = [Math.min(...c), Math.max(...c)];
  if (high - low < 0.05) return c;
  const f = (n: number): number => (((n - low) / (high - low)) * 0.85 + 0.08) * Math.max(high, 0.9);
  return [f(c[0]), f(c[1]), f(c[2])];
}
