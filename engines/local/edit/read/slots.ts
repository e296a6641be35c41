/** Reads the slots of sentence forms: nouns, places, colours, ratios, sides and qualities. */
import { knownNoun } from '../../cutout/vocabulary.ts';
import { Phrases, phrasesOf, wordSet } from '../../language/phrases.ts';
import { blend, hex } from '../../sketch/colour.ts';
import { colourWords } from '../../sketch/read/vocabulary.ts';
import type { Sides, Tone } from '../edits.ts';
import { isTrait, traits, type WordClass } from './qualities.ts';
import type { Found, Slot } from './rule.ts';
import vocabulary from './vocabulary.json' with { type: 'json' };

/** Shares of white (positive) or black (negative) that a word mixes into the colour after it. */
const shades: ReadonlyMap<string, number> = new Map(
  phrasesOf(vocabulary.shades).map(([word, share]) => [word, Number(share)]),
);
const pure = new Map<string, Tone>([
  ['white', [1, 1, 1]],
  ['black', [0, 0, 0]],
]);

/** Reads a colour, such as "dark blue" or "#ff8800". Returns null for other text. */
export function colourOf(phrase: string): Tone | null {
  const text = phrase
    .replace(/^(?:an?|the|its?|of) /u, '')
    .replace(/ (?:colou?r|tone|tint|shade|hue)(?:ed|s)?$/u, '')
    .trim();
  const digits = /^#([\da-f]{3}|[\da-f]{6})$/u.exec(text)?.[1];
  if (digits) return hex(`#${digits.length === 3 ? digits.replace(/./gu, '$&$&') : digits}`);
  const words = text.split(/[\s-]+/u);
  const name = words.pop() ?? '';
  let tone = pure.get(name) ?? colourWords.get(name) ?? null;
  for (const word of words) {
    const share = shades.get(word);
    if (!tone || share === undefined) return null;
    tone = blend(tone, share > 0 ? [1, 1, 1] : [0, 0, 0], Math.abs(share));
  }
  return tone;
}

/** Reads the longest known phrase at a place. */
const longest =
  <T>(known: Phrases<T>, meaning: (value: T) => Found): Slot =>
  (words, at) => {
    const found = known.at(words, at);
    return found ? [{ end: found.end, found: meaning(found.value) }] : [];
  };

const phrases = <T extends string>(table: Readonly<Record<T, string>>, meaning: (value: T) => Found): Slot =>
  longest(new Phrases(phrasesOf(table)), meaning);

const trait = (wordClass: WordClass): Slot => longest(traits[wordClass], (trait) => ({ trait }));

/** Reads one word that matches a pattern. */
const word =
  (pattern: RegExp, meaning: (value: string) => Found): Slot =>
  (words, at) =>
    pattern.test(words[at] ?? '') ? [{ end: at + 1, found: meaning(words[at] ?? '') }] : [];

/** Words that end a noun, so that a noun never swallows the rest of a clause. */
const reserved = wordSet(vocabulary.reserved);
const possessives = wordSet(vocabulary.possessives);
const aliases: ReadonlyMap<string, string> = new Map(phrasesOf(vocabulary.aliases));
const parts = wordSet('subject background face sky');
/** Returns whether a part of the image has this name, which needs no article. */
export const isPart = (name: string): boolean => parts.has(name) || knownNoun(name);

/** Reads a noun of up to three words. */
const noun: Slot = (words, at) => {
  let start = at;
  while (possessives.has(words[start] ?? '') || words[start] === 'the') start++;
  return [3, 2, 1]
    .map((count) => words.slice(start, start + count))
    .filter((said, i) => said.length === 3 - i && said.every((word) => /^\p{L}/u.test(word)))
    .filter((said) => knownNoun(said.join(' ')) || !said.some((word) => reserved.has(word) || isTrait(word)))
    .map((said) => {
      const name = said.join(' ').replace(/'s?$/u, '');
      return { end: start + said.length, found: { noun: aliases.get(name) ?? name } };
    });
};

const whole = wordSet('it everything all');
/** Reads the image, a thing in it, or all except a thing. */
const area: Slot = (words, at) => {
  const first = words[at] ?? '';
  const link = first === 'except' ? at : at + 1;
  const isOutside = words[link] === 'except' && (link === at || whole.has(first));
  if (!isOutside && whole.has(first)) return [{ end: at + 1, found: { where: null } }];
  const isNamed = isOutside || possessives.has(first) || first === 'the' || words[at - 1] === 'the';
  return noun(words, isOutside ? link + 1 : at)
    .filter(({ found }) => isNamed || isPart(found.noun ?? ''))
    .map(({ end, found: { noun = '' } }) => ({
      end,
      found: { where: isOutside ? { noun, outside: true } : { noun } },
    }));
};

const colour: Slot = (words, at) =>
  [3, 2, 1].flatMap((count) => {
    const said = words.slice(at, at + count);
    const tone = said.length === count ? colourOf(said.join(' ')) : null;
    return tone ? [{ end: at + count, found: { colour: tone } }] : [];
  });

const numericRatios = word(/^\d{0,4}[1-9]\d{0,4}(?:\.\d+)?:\d{0,4}[1-9]\d{0,4}(?:\.\d+)?$/u, (ratio) => ({ ratio }));
const namedRatios = phrases(vocabulary.ratios, (ratio) => ({ ratio }));

/** Reads the weights of the left, right, top and bottom side, such as "1 0 0 0". */
function sidesOf(weights: string): Sides {
  const [left = 0, right = 0, top = 0, bottom = 0] = weights.split(' ').map(Number);
  return { left, right, top, bottom };
}

export const slots: Readonly<Record<string, Slot>> = {
  NOUN: noun,
  /** A noun that does not matter. */
  PLACE: (words, at) => noun(words, at).map(({ end }) => ({ end, found: {} })),
  AREA: area,
  COLOUR: colour,
  VERB: trait('verb'),
  ADJECTIVE: trait('adjective'),
  QUALITY: trait('noun'),
  /** A ratio or the name of one: "16:9", "square". */
  RATIO: (words, at) => [...namedRatios(words, at), ...numericRatios(words, at)],
  NUMBER: word(/^-?\d+(?:\.\d+)?$/u, (number) => ({ number: Number(number) })),
  PERCENT: word(/^\d+(?:\.\d+)?%$/u, (percent) => ({ percent: Number.parseFloat(percent) })),
  SIDE: phrases(vocabulary.sides, (weights) => ({ sides: sidesOf(weights) })),
  TURN: phrases(vocabulary.turns, (turn) => ({ turn: turn === '1' ? 1 : -1 })),
  AXIS: word(/^(?:horizont|vertic)ally$/u, (axis) => ({ axis: axis === 'vertically' ? 'vertical' : 'horizontal' })),
  DIRECTION: phrases(vocabulary.directions, (sign) => ({ direction: sign === '1' ? 1 : -1 })),
  /** The rest of the clause, or the words before `background`. */
  SCENE: (words, at) => {
    const end = words.indexOf('background', at);
    const said = words.slice(at, end < 0 ? undefined : end);
    return said.length > 0 ? [{ end: at + said.length, found: { scene: said.join(' ') } }] : [];
  },
  /** Words such as `everything else`, which an instruction leaves unchanged. They limit no edit. */
  REST: phrases(vocabulary.rest, () => ({})),
};
