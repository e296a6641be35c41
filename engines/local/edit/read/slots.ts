/** Reads the slots of sentence forms: nouns, places, colours, ratios, sides and qualities. */
import { knownNoun } from '../../cutout/vocabulary.ts';
import { Phrases, phrasesOf, wordSet } from '../../language/phrases.ts';
import type { Sides } from '../edits.ts';
import { colourOf, isComparative } from './colours.ts';
import { isTrait, traits, type WordClass } from './qualities.ts';
import type { Found, Slot } from './rule.ts';
import vocabulary from './vocabulary.json' with { type: 'json' };

/** Reads the longest phrase of a table at a place. */
function phrases<T extends string>(table: Readonly<Record<T, string>>, meaning: (value: T) => Found): Slot {
  const known = new Phrases(phrasesOf(table));
  return (words, at) => {
    const found = known.at(words, at);
    return found ? [{ end: found.end, found: meaning(found.value) }] : [];
  };
}

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

/** A noun has up to three words. */
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

/** The image, a thing in it, or all except a thing. */
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

/** "Dark blue", but not "bluer". */
const colour: Slot = (words, at) =>
  [3, 2, 1].flatMap((count) => {
    const said = words.slice(at, at + count);
    const tone = said.length === count && !isComparative(said.at(-1) ?? '') ? colourOf(said.join(' ')) : null;
    return tone ? [{ end: at + count, found: { colour: tone } }] : [];
  });
const comparative: Slot = (words, at) => {
  const tone = isComparative(words[at] ?? '') ? colourOf(words[at] ?? '') : null;
  return tone ? [{ end: at + 1, found: { colour: tone } }] : [];
};

const trait =
  (wordClass: WordClass): Slot =>
  (words, at) => {
    const found = traits[wordClass].at(words, at);
    return found ? [{ end: found.end, found: { trait: found.value } }] : [];
  };

const numbers = word(/^\d{1,5}(?:\.\d+)?:\d{1,5}(?:\.\d+)?$/u, (ratio) => ({ ratio }));
const shapes = phrases(vocabulary.ratios, (ratio) => ({ ratio }));
const sidesOf = (left: number, right: number, top: number, bottom: number): Sides => ({ left, right, top, bottom });
const weights: Readonly<Record<keyof typeof vocabulary.sides, Sides>> = {
  left: sidesOf(1, 0, 0, 0),
  right: sidesOf(0, 1, 0, 0),
  top: sidesOf(0, 0, 1, 0),
  bottom: sidesOf(0, 0, 0, 1),
  width: sidesOf(0.5, 0.5, 0, 0),
  height: sidesOf(0, 0, 0.5, 0.5),
  all: sidesOf(1, 1, 1, 1),
};

export const slots: Readonly<Record<string, Slot>> = {
  NOUN: noun,
  /** A noun that does not matter. */
  PLACE: (words, at) => noun(words, at).map(({ end }) => ({ end, found: {} })),
  AREA: area,
  COLOUR: colour,
  COMPARATIVE: comparative,
  VERB: trait('verb'),
  ADJECTIVE: trait('adjective'),
  QUALITY: trait('noun'),
  /** A ratio or the name of one: "16:9", "square". */
  RATIO: (words, at) =>
    [...shapes(words, at), ...numbers(words, at)].filter(
      ({ found }) => !/(?:^|:)0+(?:\.0+)?(?::|$)/u.test(found.ratio ?? ''),
    ),
  NUMBER: word(/^-?\d+(?:\.\d+)?$/u, (number) => ({ number: Number(number) })),
  PERCENT: word(/^\d+(?:\.\d+)?%$/u, (percent) => ({ percent: Number.parseFloat(percent) })),
  CHANGE: word(/^[+-]\d+(?:\.\d+)?%$/u, (change) => ({ change: Number.parseFloat(change) })),
  SIDE: phrases(vocabulary.sides, (side) => ({ sides: weights[side] })),
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
