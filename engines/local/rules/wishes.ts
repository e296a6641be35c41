/** Reads the wishes in instructions that rules can fulfil; rejects some of the others and ignores the rest. */
import { EngineError } from '../../contract/index.ts';
import { phrasesOf, wordPattern } from '../language/phrases.ts';
import vocabulary from './wishes.json' with { type: 'json' };

export interface Wishes {
  length: 'shorter' | 'longer' | null;
  formal: boolean;
  friendly: boolean;
  playful: boolean;
  simple: boolean;
  spelling: 'british' | 'american' | null;
  list: 'bullets' | 'numbers' | null;
  /** Maximum number of each. */
  sentences: number | null;
  words: number | null;
  characters: number | null;
  exclamations: boolean;
  emoji: 'with' | 'without' | null;
  contractions: 'expand' | 'contract' | null;
  headline: boolean;
  callToAction: boolean;
}

const patterns = (table: Readonly<Record<string, string>>): [string, RegExp][] =>
  Object.entries(table).map(([name, words]) => [name, new RegExp(wordPattern(words), 'iu')]);
/** Manners say how a text sounds. Things are used or left out, such as bullets. */
const manners = patterns({ ...vocabulary.manners, ...vocabulary.impossible });
const things = patterns(vocabulary.things);
const grammar = new RegExp(wordPattern(vocabulary.grammar), 'iu');

/** Phrases whose single words would be read as another wish. */
const idioms: readonly (readonly [RegExp, string])[] = [
  [/’/gu, "'"],
  [/(?<!\p{L})['"“]|['"”](?!\p{L})/gu, ' '],
  [
    /(?:(?<!\p{L})(?:no|not|never|cannot)|n't)\s(?:(?! and )[^.,;]){0,24}?(?:(?:more|longer) than|(?:over|above|beyond|exceed)(?!\p{L}))/giu,
    'at most',
  ],
  [/\bnot (?:only|just|merely)\b/giu, ''],
  [/\bnot ([\w-]+) enough\b/giu, 'more $1'],
  [/\b(?:less|too)(?= (?!wordy|than)\p{L})/giu, 'not'],
  [/\bexpand (?:\w+ )?(?=contractions)/giu, 'no '],
  // One "no" forbids a whole list of things: "no bullets, lists or emojis".
  [/,(?=(?: [\w-]+){1,2} n?or )/giu, ' or'],
];
const clauseEnd =
  /[.;:!?\n()–—,]|(?<!\p{L})(?:but|and(?= (?:make|keep|use|write|be|add|turn|put|include|give|sound|more)\b))(?!\p{L})/iu;
const noThing = wordPattern(
  'no, without, avoid, avoiding, remove, removing, drop, skip, omit, exclude, instead of, rather than, fewer, keine*, ohne, sans, sin',
);
const negation = new RegExp(
  `(?<noThing>${noThing})|${wordPattern('not, never, dont, cannot, nor, neither, nicht, pas')}|n't(?!\\p{L})`,
  'iu',
);

/** Returns what instructions want and what they forbid, clause by clause. */
function mentionsIn(text: string): { wanted: Set<string>; forbidden: Set<string> } {
  const wanted = new Set<string>();
  const forbidden = new Set<string>();
  for (const clause of text.split(clauseEnd)) {
    const no = negation.exec(clause);
    const negated = no ? clause.slice(no.index) : '';
    for (const [name, pattern] of things)
      if (pattern.test(clause)) (pattern.test(negated) ? forbidden : wanted).add(name);
    // "No emojis and formal" forbids a thing, and wants a manner.
    const until = no?.groups?.['noThing'] === undefined ? negated : (negated.split(' and ')[0] ?? '');
    for (const [name, pattern] of manners)
      if (pattern.test(clause)) (pattern.test(until) ? forbidden : wanted).add(name);
  }
  return { wanted, forbidden };
}

const counts: ReadonlyMap<string, string> = new Map(phrasesOf(vocabulary.counts));
const counted = String.raw`(?<!\p{L})(\d{1,5}|${[...counts.keys()].join('|')})[\s-]?(?:(?:short|key|main|brief|concise|single|kurzen|bulleted)\s+)*`;
const limitOf = (words: string): RegExp => new RegExp(counted + wordPattern(words), 'iu');
const limits = {
  points: limitOf(vocabulary.things.points),
  sentences: limitOf(vocabulary.units.sentences),
  words: limitOf(vocabulary.units.words),
  characters: limitOf(vocabulary.units.characters),
};
const least = new RegExp(
  String.raw`(?<!\p{L})(?:at least|minimum(?: of)?|(?:more|longer) than)\s+${counted}${wordPattern(Object.values(vocabulary.units).join(', '))}`,
  'iu',
);

function countIn(text: string, unit: keyof typeof limits): number | null {
  const word = limits[unit].exec(text)?.[1]?.toLowerCase() ?? '';
  return Number(counts.get(word) ?? word) || null;
}

/** @throws EngineError for wishes that rules cannot fulfil */
export function readWishes(instructions: string | null): Wishes {
  const text = idioms.reduce((out, [pattern, words]) => out.replaceAll(pattern, words), instructions ?? '');
  if (least.test(text)) throw cannot('guarantee a minimum length');
  const { wanted, forbidden } = mentionsIn(text.replaceAll(/longer than/giu, 'than'));
  if (grammar.test(text)) throw cannot('change person, tense or voice');
  for (const ability of Object.keys(vocabulary.impossible)) if (wanted.has(ability)) throw cannot(ability);
  const first = <T extends string>(...names: T[]): T | null => names.find((name) => wanted.has(name)) ?? null;
  const informal = wanted.has('informal') || forbidden.has('formal');
  const points = wanted.has('points') ? countIn(text, 'points') : null;
  if (points !== null) wanted.add('bullets');
  return {
    length: first('longer', 'shorter'),
    formal: !informal && wanted.has('formal'),
    friendly: informal || wanted.has('friendly'),
    playful: wanted.has('playful'),
    simple: wanted.has('simple'),
    spelling: first('british', 'american'),
    list: first('numbers', 'bullets'),
    sentences: points ?? countIn(text, 'sentences'),
    words: countIn(text, 'words'),
    characters: countIn(text, 'characters'),
    exclamations: !forbidden.has('exclamations'),
    emoji: forbidden.has('emoji') ? 'without' : wanted.has('emoji') ? 'with' : null,
    contractions: forbidden.has('contractions') ? 'expand' : wanted.has('contractions') ? 'contract' : null,
    headline: !forbidden.has('headline'),
    callToAction: !forbidden.has('callToAction'),
  };
}

/**
 * Returns the error for a request that rules cannot fulfil, which tells the client what to change.
 * @param ability completes the sentence "The embedded language rules cannot …"
 */
export function cannot(ability: string): EngineError {
  return new EngineError('input_invalid', `The embedded language rules cannot ${ability}.`, {
    publicMessage: `The embedded language rules cannot ${ability}. Simplify the request, or have the operator of this service configure a language model.`,
  });
}
