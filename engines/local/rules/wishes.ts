/** Reads the wishes in instructions that rules can fulfil, and ignores the others. */
import { phraseTable } from '../language/phrases.ts';
import { mention } from './negation.ts';
import { cannot } from './refusals.ts';

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

const counts: ReadonlyMap<string, number> = new Map(
  phraseTable(`
    1: one, a, single, ein, einem, einen, une, una, un, 一
    2: two, zwei, deux, dos, 二
    3: three, drei, trois, tres, 三
    4: four
    5: five, fünf
    6: six
    7: seven
    8: eight
    9: nine
    10: ten
  `).map(([word, count]) => [word, Number(count)]),
);

const counted = String.raw`(\d{1,5}|${[...counts.keys()].join('|')})[\s-]?(?:(?:short|key|main|brief|concise|single|kurzen)\s+)*`;
const limit = (unit: string): RegExp => new RegExp(`(?<!\\p{L})${counted}(?:${unit})`, 'iu');
const sentenceLimit = limit('sentences?|satz|sätzen?|phrases?|frases?|文');
const pointLimit = limit('bullet(?:ed)?[\\s-]?points?|bullets?|points?|takeaways?|stichpunkten?|items?|highlights?');
const wordLimit = limit('words?|wörtern?|worten?|mots|palabras');
const characterLimit = limit('characters?|chars?|zeichen|文字');

function countIn(found: RegExpExecArray | null): number | null {
  const word = found?.[1]?.toLowerCase();
  if (word === undefined) return null;
  const count = /^\d/u.test(word) ? Number(word) : counts.get(word);
  return count === undefined || count < 1 ? null : count;
}

/** "At least 20 words", "longer than 20 words"; after "no", "more than" is a maximum. */
const least = new RegExp(
  `(?<!(?<!\\p{L})(?:no|not|never|cannot|\\p{L}{1,9}n['’]t)\\s[^.,;]{0,24})(?<!\\p{L})(?:at least|(?:a )?minimum(?: of)?|(?:more|longer) than)\\s+${counted}(?:words?|characters?|sentences?)`,
  'iu',
);

const impossible: readonly (readonly [RegExp, string])[] = [
  [
    /\b(?:in(?:to)?|to|auf|en)\s+(?:\p{L}+\s+)?(?:german|french|spanish|italian|portuguese|dutch|polish|russian|chinese|japanese|korean|arabic|hindi|turkish|swedish|latin|deutsch|französisch|englisch|español|français)\b|\btranslat|übersetz/iu,
    'translate',
  ],
  [/\b(?:poem|haiku|rhym\p{L}*|sonnet|limerick|song|lyrics|rap)\b/iu, 'write verse'],
  [/\b(?:pirate|shakespear\p{L}*|yoda)\b/iu, 'imitate a voice'],
];
/** Rules can neither use nor avoid these. */
const grammar =
  /\b(?:passive|active)\s+voice\b|\b(?:first|second|third)[\s-]person\b|\b(?:past|present|future)\s+tense\b/iu;

/** @throws EngineError for wishes that rules cannot fulfil */
export function readWishes(instructions: string | null): Wishes {
  const asked = instructions ?? '';
  const has = (pattern: RegExp): boolean => mention(asked, pattern, 'manner').wanted !== null;
  for (const [pattern, ability] of impossible) if (has(pattern)) throw cannot(ability);
  if (grammar.test(asked)) throw cannot('change person, tense or voice');
  if (least.test(asked)) throw cannot('make sure of a least length');
  const uses = (pattern: RegExp): boolean => mention(asked, pattern, 'thing').wanted !== null;
  const refuses = (pattern: RegExp): boolean => mention(asked, pattern, 'thing').refused;
  const informal =
    has(/\b(?:un|in)-?formal\b|\bcasual|\brelaxed|locker/iu) || mention(asked, /\bformal\b/iu, 'manner').refused;
  const points = countIn(mention(asked, pointLimit, 'thing').wanted);
  const numbered = uses(/\bnumbered|\bnumbers list|nummerierte/iu);
  return {
    length: lengthIn(has),
    formal: !informal && has(/\bformal|\bprofessional|\bbusiness|\bserious|\bacademic|förmlich|\bpolite/iu),
    friendly: informal || has(/\bfriendl|\bwarm|\bconversational|\bpersonable|\bcasual|freundlich/iu),
    playful: has(/\bplayful|\bfun\b|\bfunny|\bcheek|\bwitty|\bcheerful|\bupbeat|\benthusias|\bexcit|verspielt/iu),
    simple: has(/\bsimpl|\bplain|\beas(?:y|ier)\b|\bclear(?:er)?\b|\bchild|\bkids?\b|\bbeginner|einfach/iu),
    spelling: has(/\b(?:british|uk)\b/iu)
      ? 'british'
      : has(/\b(?:american|us)\s+(?:english|spelling)|\bamerican\b/iu)
        ? 'american'
        : null,
    list: numbered
      ? 'numbers'
      : points !== null || uses(/\bbullet|\blists?\b|stichpunkt|箇条書き/iu)
        ? 'bullets'
        : null,
    sentences: points ?? countIn(sentenceLimit.exec(asked)),
    words: countIn(wordLimit.exec(asked)),
    characters: countIn(characterLimit.exec(asked)),
    exclamations: !refuses(/\bexclamation|ausrufezeichen/iu) && !/\bfewer\b[^.;]{0,20}\bexclamation/iu.test(asked),
    emoji: refuses(/\bemoji/iu) ? 'without' : uses(/\bemojis?\b/iu) ? 'with' : null,
    contractions:
      refuses(/\bcontraction/iu) || /\bexpand\b[^.;]{0,20}\bcontraction/iu.test(asked)
        ? 'expand'
        : uses(/\bcontractions?\b/iu)
          ? 'contract'
          : null,
    headline: !refuses(/\b(?:headline|title|heading)/iu),
    callToAction: !refuses(/\b(?:call[\s-]to[\s-]action|cta)\b/iu),
  };
}

const longer = /\blonger\b(?!\s+than)|\bexpand(?!.*contraction)|\belaborat|\bmore detail|länger|\bplus long/iu;
const shorter =
  /\bshort(?:er|en)?\b|\bbrief|\bconcis|\bcondens|\btrim\b|\btight|\bpunch|\bsnapp|\bless wordy|\bcompact|kürzer|\bkurz|\bplus court|\bmás corto|短く/iu;

const lengthIn = (has: (pattern: RegExp) => boolean): Wishes['length'] =>
  has(longer) ? 'longer' : has(shorter) ? 'shorter' : null;
