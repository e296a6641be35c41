/** Finds what instructions ask for and what they forbid, word by word. */
import { wordSet } from '../language/phrases.ts';
import vocabulary from './wishes.json' with { type: 'json' };

type Manner = keyof typeof vocabulary.manners;
type Thing = keyof typeof vocabulary.things;
/** A manner is how a text sounds; a thing is used or left out, such as bullets. */
export type Wish = Manner | Thing;

export interface Mentions {
  wanted: ReadonlySet<Wish>;
  refused: ReadonlySet<Wish>;
}

const whole = wordSet(vocabulary.whole);
const stemsOf = <T extends string>(table: Readonly<Record<T, string>>): [T, string[]][] =>
  Object.entries<string>(table).map(([wish, stems]) => [wish as T, stems.split(' ')]);
const manners = stemsOf(vocabulary.manners);
const things = stemsOf(vocabulary.things);

const negatingThings = wordSet(
  'no without avoid avoiding remove removing drop skip omit exclude instead rather keine keinen keinem keiner keines ohne sans sin fewer',
);
const negatingManners = wordSet('not never dont cannot nor neither nicht pas');
/** "No more than three bullets" limits them and forbids none. */
const limiting = wordSet('than exceed over above beyond');
const fillers = wordSet('please ever want you to try need like it any a an');
const verbs = wordSet('make keep use write be add turn rewrite put include give sound shorten expand format');
const languages = wordSet(
  'german french spanish italian portuguese dutch polish russian chinese japanese korean arabic hindi turkish swedish latin deutsch französisch englisch español français',
);
const into = wordSet('in into to auf en');
const end = /^[.;:!?\n()–—]$/u;
/** Words after which a negation has ended. */
const reach = 9;

interface Negation {
  ofThing: boolean;
  /** Words since the negation. */
  distance: number;
  /** Words since the last comma, or null before one. */
  sinceComma: number | null;
  joined: boolean;
}

export function mentionsIn(instructions: string): Mentions {
  const words =
    instructions
      .toLowerCase()
      .replaceAll('’', "'")
      .replaceAll(/'(?!\p{L})/gu, ' ')
      .match(/[\p{L}\p{N}][\p{L}\p{N}'-]*|[,.;:!?\n()–—]/gu) ?? [];
  const wanted = new Set<Wish>();
  const refused = new Set<Wish>();
  let negation: Negation | null = null;
  for (const [at, word] of words.entries()) {
    for (const wish of wishesAt(words, at)) {
      const isThing = Object.hasOwn(vocabulary.things, wish);
      (isForbidden(words, at, isThing, negation) ? refused : wanted).add(wish);
    }
    negation = next(negation, words, at, word);
  }
  return { wanted, refused };
}

/** Returns the wishes whose words begin at a place. */
function wishesAt(words: readonly string[], at: number): Wish[] {
  const [word = '', second = '', third = ''] = words.slice(at, at + 3);
  if (word === 'longer' && second === 'than') return [];
  // "Expand the contractions" is about them, not about the length.
  if (word === 'expand' && words.slice(at, at + 4).some((one) => one.startsWith('contraction'))) return [];
  if (languages.has(word) && words.slice(Math.max(0, at - 2), at).some((one) => into.has(one))) return ['translate'];
  const phrases = [word, `${word}-${second}`, `${word}-${second}-${third}`];
  const begins = (stem: string): boolean =>
    whole.has(stem) || /[^\p{Script=Latin}-]/u.test(stem)
      ? phrases[0] === stem || (!whole.has(stem) && word.includes(stem))
      : phrases.some((phrase, i) => phrase.startsWith(stem) && stem.split('-').length >= i + 1);
  return [...manners, ...things].filter(([, stems]) => stems.some(begins)).map(([wish]) => wish);
}

function isForbidden(words: readonly string[], at: number, isThing: boolean, negation: Negation | null): boolean {
  const before = words[at - 1] ?? '';
  if (words[at + 1] === 'enough') return false;
  if (before === 'less' || before === 'too') return true;
  if (isThing && before !== 'use' && words.slice(Math.max(0, at - 3), at).includes('expand')) return true;
  if (!negation) return false;
  if (!isThing) return negation.sinceComma === null && !(negation.ofThing && negation.joined);
  // One "no" forbids a whole list of things: "no bullets, lists or emojis".
  return (
    negation.sinceComma === null ||
    before === 'or' ||
    before === 'nor' ||
    (negation.sinceComma < 2 && goesOn(words, at))
  );
}

function goesOn(words: readonly string[], at: number): boolean {
  const rest = words.slice(at + 1, at + 1 + reach);
  const stop = rest.findIndex((word) => end.test(word));
  return rest.slice(0, stop < 0 ? undefined : stop).some((word) => word === 'or' || word === 'nor');
}

/** Returns the negation that holds after a word. */
function next(negation: Negation | null, words: readonly string[], at: number, word: string): Negation | null {
  if (end.test(word) || word === 'but') return null;
  const ofThing = negatingThings.has(word);
  if (ofThing || negatingManners.has(word) || /\p{L}n't$/u.test(word)) {
    const isOnly = /^(?:only|just|merely)$/u.test(words[at + 1] ?? '');
    const isLimit = words.slice(at + 1, at + 6).some((one) => limiting.has(one));
    return isOnly || (isLimit && word !== 'rather')
      ? negation
      : { ofThing, distance: 0, sinceComma: null, joined: false };
  }
  if (!negation || negation.distance >= reach) return null;
  if (word === ',') return { ...negation, sinceComma: 0 };
  if (negation.distance === 0 && (fillers.has(word) || verbs.has(word))) return negation;
  // A new verb begins a new wish: "without losing detail make it shorter".
  if (verbs.has(word)) return null;
  return {
    ...negation,
    distance: negation.distance + 1,
    sinceComma: negation.sinceComma === null ? null : negation.sinceComma + 1,
    joined: negation.joined || word === 'and',
  };
}
