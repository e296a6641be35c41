/** Reads what instructions ask of a text, as far as rules can follow it. What it does not know it leaves out. */
import { cannot } from './refusals.ts';

export interface Wishes {
  length: 'shorter' | 'longer' | null;
  formal: boolean;
  friendly: boolean;
  playful: boolean;
  simple: boolean;
  spelling: 'british' | 'american' | null;
  list: 'bullets' | 'numbers' | null;
  /** At most so many of each. */
  sentences: number | null;
  words: number | null;
  characters: number | null;
  exclamations: boolean;
  emoji: 'with' | 'without' | null;
  contractions: 'expand' | 'contract' | null;
  headline: boolean;
  callToAction: boolean;
}

const counts = 'one two three four five six seven eight nine ten'.split(' ');
const others: Readonly<Record<string, number>> = {
  a: 1,
  single: 1,
  ein: 1,
  einem: 1,
  einen: 1,
  une: 1,
  una: 1,
  un: 1,
  zwei: 2,
  deux: 2,
  dos: 2,
  drei: 3,
  trois: 3,
  tres: 3,
  fünf: 5,
  一: 1,
  二: 2,
  三: 3,
};

const counted = String.raw`(\d{1,5}|${[...counts, ...Object.keys(others)].join('|')})[\s-]?(?:(?:short|key|main|brief|concise|single|kurzen)\s+)*`;
const limit = (unit: string): RegExp => new RegExp(`(?<!\\p{L})${counted}(?:${unit})`, 'iu');
const sentenceLimit = limit('sentences?|satz|sätzen?|phrases?|frases?|文');
const pointLimit = limit('bullet(?:ed)?[\\s-]?points?|bullets?|points?|takeaways?|stichpunkten?|items?|highlights?');
const wordLimit = limit('words?|wörtern?|worten?|mots|palabras');
const characterLimit = limit('characters?|chars?|zeichen|文字');

function countIn(text: string, pattern: RegExp): number | null {
  const word = pattern.exec(text)?.[1]?.toLowerCase();
  if (word === undefined) return null;
  const count = /^\d/u.test(word) ? Number(word) : counts.includes(word) ? counts.indexOf(word) + 1 : others[word];
  return count === undefined || count < 1 ? null : count;
}

const impossible: readonly (readonly [RegExp, string])[] = [
  [
    /\b(?:in(?:to)?|to|auf|en)\s+(?:\p{L}+\s+)?(?:german|french|spanish|italian|portuguese|dutch|polish|russian|chinese|japanese|korean|arabic|hindi|turkish|swedish|latin|deutsch|französisch|englisch|español|français)\b|\btranslat|übersetz/iu,
    'translate',
  ],
  [/\b(?:poem|haiku|rhym\p{L}*|sonnet|limerick|song|lyrics|rap)\b/iu, 'write verse'],
  [/\b(?:pirate|shakespear\p{L}*|yoda)\b/iu, 'imitate a voice'],
  [
    /\b(?:passive|active)\s+voice\b|\b(?:first|second|third)[\s-]person\b|\b(?:past|present|future)\s+tense\b/iu,
    'change person, tense or voice',
  ],
];

/** @throws EngineError for what is known to be beyond rules */
export function readWishes(instructions: string | null): Wishes {
  const asked = instructions ?? '';
  for (const [pattern, ability] of impossible) if (pattern.test(asked)) throw cannot(ability);
  const has = (pattern: RegExp): boolean => pattern.test(asked);
  const informal = has(/\b(?:less|not (?:too |so )?|un|in)[\s-]?formal\b|\bcasual|\brelaxed|locker/iu);
  const points = countIn(asked, pointLimit);
  const numbered = has(/\bnumbered|\bnumbers list|nummerierte/iu);
  return {
    length: has(/\blonger\b|\bexpand(?!.*contraction)|\belaborat|\bmore detail|länger|\bplus long/iu)
      ? 'longer'
      : has(
            /\bshort(?:er|en)?\b|\bbrief|\bconcis|\bcondens|\btrim\b|\btight|\bpunch|\bsnapp|\bless wordy|\bcompact|kürzer|\bkurz|\bplus court|\bmás corto|短く/iu,
          )
        ? 'shorter'
        : null,
    formal: !informal && has(/\bformal|\bprofessional|\bbusiness|\bserious|\bacademic|förmlich|\bpolite/iu),
    friendly: informal || has(/\bfriendl|\bwarm|\bconversational|\bpersonable|\bcasual|freundlich/iu),
    playful: has(/\bplayful|\bfun\b|\bfunny|\bcheek|\bwitty|\bcheerful|\bupbeat|\benthusias|\bexcit|verspielt/iu),
    simple: has(/\bsimpl|\bplain|\beas(?:y|ier)\b|\bclear(?:er)?\b|\bchild|\bkids?\b|\bbeginner|einfach/iu),
    spelling: has(/\b(?:british|uk)\b/iu)
      ? 'british'
      : has(/\b(?:american|us)\s+(?:english|spelling)|\bamerican\b/iu)
        ? 'american'
        : null,
    list: numbered ? 'numbers' : points !== null || has(/\bbullet|\blist\b|stichpunkt|箇条書き/iu) ? 'bullets' : null,
    sentences: points ?? countIn(asked, sentenceLimit),
    words: countIn(asked, wordLimit),
    characters: countIn(asked, characterLimit),
    exclamations: !has(
      /\b(?:no|without|avoid|remove|fewer|drop)\b[^.;]{0,20}\bexclamation|(?:keine|ohne) ausrufezeichen/iu,
    ),
    emoji: has(/\b(?:no|without|avoid|remove|drop)\b[^.;]{0,20}\bemoji/iu)
      ? 'without'
      : has(/\bemojis?\b/iu)
        ? 'with'
        : null,
    contractions: has(/\b(?:no|without|avoid|expand|remove)\b[^.;]{0,20}\bcontraction/iu)
      ? 'expand'
      : has(/\bcontractions?\b/iu)
        ? 'contract'
        : null,
    headline: !has(/\b(?:no|without(?: a)?|skip the)\s+(?:headline|title|heading)/iu),
    callToAction: !has(/\b(?:no|without(?: a)?|skip the)\s+(?:call[\s-]to[\s-]action|cta)/iu),
  };
}
