/** Reads the slots of sentence forms: nouns, places, colours, ratios, sides and qualities. */
import { knownNoun } from '../../cutout/vocabulary.ts';
import { Phrases, phrasesOf, wordSet } from '../../language/phrases.ts';
import type { Sides } from '../edits.ts';
import { colourOf, isComparative } from './colours.ts';
import type { Candidate, Found, Slot } from './forms.ts';
import { isTrait, traits, type WordClass } from './qualities.ts';

/** Returns the longest phrase of a table at a place. */
const phrases =
  <T extends string>(table: Readonly<Record<T, string>>, meaning: (value: T) => Found): Slot =>
  (words, at) => {
    const found = reader(table).at(words, at);
    return found ? [{ end: found.end, found: meaning(found.value as T) }] : [];
  };

const readers = new WeakMap<object, Phrases<string>>();
function reader(table: Readonly<Record<string, string>>): Phrases<string> {
  const known = readers.get(table) ?? new Phrases(phrasesOf(table));
  readers.set(table, known);
  return known;
}

/** Words that end a noun, so that a noun never swallows the rest of a clause. */
const reserved = wordSet(`
  it to in on of off out from with and by for into onto at up down not no without except around behind before the a an this that is
  should be make turn keep leave more less too only all everything left right top bottom half side middle center centre corner but
  remove add hide cover blur crop zoom change don't than as very him her them me us
`);
const possessives = wordSet('his her their my our your these those every each both all of any unwanted other');
const aliases: ReadonlyMap<string, string> = new Map(
  phrasesOf({
    subject: 'main subject|object, object, foreground, subjects',
    people: 'everyone, everybody',
    face: 'skin',
    sky: 'skies',
  }),
);

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
      return { end: start + said.length, found: { noun: aliases.get(name) ?? name, said: name } };
    });
};

const pronoun: Slot = (words, at) =>
  /^(?:him|her|them|me|us)$/u.test(words[at] ?? '') ? [{ end: at + 1, found: { pronoun: true } }] : [];

const whole = wordSet('it everything all');

/** The image, a thing in it, all except a thing, or what is behind a thing. */
const area: Slot = (words, at) => {
  const word = words[at] ?? '';
  const link = /^(?:except|around|behind)$/u.test(word) ? at : at + 1;
  if (link === at || (whole.has(word) && /^(?:except|around|behind)$/u.test(words[link] ?? ''))) {
    if (words[link] === 'behind') {
      const behind = [...noun(words, link + 1), ...pronoun(words, link + 1)];
      return behind.map(({ end }) => ({ end, found: { where: { noun: 'background' } } }));
    }
    const spared = noun(words, link + 1).map(({ end, found }) => ({
      end,
      found: { where: { noun: found.noun ?? '', outside: true } },
    }));
    const subject = pronoun(words, link + 1).map(({ end }) => ({
      end,
      found: { where: { noun: 'subject', outside: true }, pronoun: true as const },
    }));
    return [...spared, ...subject];
  }
  if (whole.has(word)) return [{ end: at + 1, found: { where: null } }];
  const isNamed = possessives.has(word) || word === 'the' || words[at - 1] === 'the';
  return noun(words, at)
    .filter(({ found }) => isNamed || isPart(found.noun ?? ''))
    .map(({ end, found: { noun: name = '', said = '' } }) => ({ end, found: { where: { noun: name }, said } }));
};

/** "Dark blue", but not "bluer". */
const colour: Slot = (words, at) =>
  [3, 2, 1].flatMap((count): Candidate[] => {
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

const isRatio = (word: string): boolean =>
  /^\d+(?:\.\d+)?:\d+(?:\.\d+)?$/u.test(word) && !/(?:^|:)0+(?:\.0+)?(?::|$)/u.test(word);
const shape = phrases(
  {
    '1:1': 'square, instagram',
    '16:9': 'widescreen, wide screen, landscape, wallpaper, horizontal|wide format|orientation',
    '4:5': 'portrait, vertical format|orientation',
    '9:16': 'story, stories, reel, reels, tiktok, phone, mobile',
    '21:9': 'cinemascope, ultrawide, panorama, panoramic',
  },
  (ratio) => ({ ratio }),
);
const format = wordSet('format ratio aspect orientation version shape');

/** A ratio or the name of one: "a wide 16:9 format", "square". */
const ratio: Slot = (words, at) => {
  const start = words[at] === 'wide' || words[at] === 'tall' ? at + 1 : at;
  const word = words[start] ?? '';
  const found = isRatio(word) ? [{ end: start + 1, found: { ratio: word } }] : shape(words, at);
  return found.map((one) => {
    let { end } = one;
    while (format.has(words[end] ?? '')) end++;
    return { ...one, end };
  });
};

const weights: Readonly<Record<string, Sides>> = {
  left: { left: 1, right: 0, top: 0, bottom: 0 },
  right: { left: 0, right: 1, top: 0, bottom: 0 },
  top: { left: 0, right: 0, top: 1, bottom: 0 },
  bottom: { left: 0, right: 0, top: 0, bottom: 1 },
  width: { left: 0.5, right: 0.5, top: 0, bottom: 0 },
  height: { left: 0, right: 0, top: 0.5, bottom: 0.5 },
  all: { left: 1, right: 1, top: 1, bottom: 1 },
};

const number: Slot = (words, at) =>
  /^-?\d+(?:\.\d+)?$/u.test(words[at] ?? '') ? [{ end: at + 1, found: { number: Number(words[at]) } }] : [];

export const slots: Readonly<Record<string, Slot>> = {
  NOUN: noun,
  /** A noun that does not matter. */
  PLACE: (words, at) => noun(words, at).map(({ end }) => ({ end, found: {} })),
  PRONOUN: pronoun,
  AREA: area,
  COLOUR: colour,
  COMPARATIVE: comparative,
  VERB: trait('verb'),
  ADJECTIVE: trait('adjective'),
  QUALITY: trait('noun'),
  RATIO: ratio,
  NUMBER: number,
  SIDE: phrases(
    {
      left: 'left side|edge|',
      right: 'right side|edge|',
      top: 'top side|edge|, above, upwards',
      bottom: 'bottom side|edge|, below, downwards',
      width: 'sides, width, horizontally',
      height: 'height, vertically',
      all: 'all sides|edges|around|directions, edges, borders, each side',
    },
    (side) => ({ sides: weights[side] ?? weights['all']! }),
  ),
  TURN: phrases(
    {
      '1': 'right, clockwise, cw, to the right',
      '-1': 'left, to the left, counterclockwise, counter-clockwise, counter clockwise, anticlockwise, anti-clockwise, ccw',
    },
    (turn) => ({ turn: turn === '1' ? 1 : -1 }),
  ),
  AXIS: phrases({ horizontal: 'horizontally', vertical: 'vertically' }, (axis) => ({ axis })),
  DIRECTION: phrases(
    {
      '1': 'more, increase, raise, boost, add, enhance, strengthen, intensify, improve, apply, extra, higher, lift, with, give, give it',
      '-1': 'less, reduce, decrease, lower, remove, without, no, cut, drop, minimise, minimize, weaken, lessen, recover, kill',
    },
    (sign) => ({ direction: sign === '1' ? 1 : -1 }),
  ),
  DEGREE: phrases({ '1': 'high, strong', '-1': 'low, weak' }, (sign) => ({ direction: sign === '1' ? 1 : -1 })),
  /** The rest of the clause, or the words before `background`. */
  SCENE: (words, at) => {
    const end = words.indexOf('background', at);
    const said = words.slice(at, end < 0 ? undefined : end);
    return said.length > 0 ? [{ end: at + said.length, found: { scene: said.join(' ') } }] : [];
  },
  /** The state in which a thing is kept. */
  STATE: phrases(
    {
      colour: 'in colour, coloured, colourful',
      focus: 'sharp, in focus, focused',
      all: 'unchanged, the same, the way it|they is, as it|they is, as is, untouched, natural, visible, intact, alone, in place, realistic, recognisable, recognizable, too much, at all',
    },
    (state) => ({ state }),
  ),
  /** Things that an instruction asks to leave as they are. */
  UNTOUCHED: phrases(
    {
      nothing:
        'it, everything|anything else, all else, the| rest, the rest of it, the| other|others, the| other things, same| composition|framing|frame, same| detail|details|quality|resolution|style|pose|expression|identity|aspect ratio|size|proportions|content|look|shape|layout, same| mood|texture|lighting|light|highlights|shadows|colour|colours|contrast, aspect ratio, skin tone|tones',
    },
    () => ({}),
  ),
};
