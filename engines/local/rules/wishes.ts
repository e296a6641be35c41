/** Reads the wishes in instructions that rules can fulfil, and ignores the others. */
import { phrasesOf } from '../language/phrases.ts';
import { mentionsIn, type Mentions } from './mentions.ts';
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
  phrasesOf({
    '1': 'one, a, single, ein, einem, einen, une, una, un, 一',
    '2': 'two, zwei, deux, dos, 二',
    '3': 'three, drei, trois, tres, 三',
    '4': 'four',
    '5': 'five, fünf',
    '6': 'six',
    '7': 'seven',
    '8': 'eight',
    '9': 'nine',
    '10': 'ten',
  }).map(([word, count]) => [word, Number(count)]),
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

/** Rules can neither use nor avoid these. */
const grammar =
  /\b(?:passive|active)\s+voice\b|\b(?:first|second|third)[\s-]person\b|\b(?:past|present|future)\s+tense\b/iu;

/** @throws EngineError for wishes that rules cannot fulfil */
export function readWishes(instructions: string | null): Wishes {
  const asked = instructions ?? '';
  const said = mentionsIn(asked);
  if (said.wanted.has('translate')) throw cannot('translate');
  if (said.wanted.has('verse')) throw cannot('write verse');
  if (said.wanted.has('voice')) throw cannot('imitate a voice');
  if (grammar.test(asked)) throw cannot('change person, tense or voice');
  if (least.test(asked)) throw cannot('make sure of a least length');
  return { ...toneOf(said), ...formOf(said, asked) };
}

function toneOf({ wanted, refused }: Mentions) {
  const informal = wanted.has('informal') || refused.has('formal');
  return {
    length: wanted.has('longer') ? ('longer' as const) : wanted.has('shorter') ? ('shorter' as const) : null,
    formal: !informal && wanted.has('formal'),
    friendly: informal || wanted.has('friendly'),
    playful: wanted.has('playful'),
    simple: wanted.has('simple'),
    spelling: wanted.has('british') ? ('british' as const) : wanted.has('american') ? ('american' as const) : null,
  };
}

function formOf({ wanted, refused }: Mentions, asked: string) {
  const points = wanted.has('points') ? countIn(pointLimit.exec(asked)) : null;
  const bullets = points !== null || wanted.has('bullets');
  return {
    list: wanted.has('numbers') ? ('numbers' as const) : bullets ? ('bullets' as const) : null,
    sentences: points ?? countIn(sentenceLimit.exec(asked)),
    words: countIn(wordLimit.exec(asked)),
    characters: countIn(characterLimit.exec(asked)),
    exclamations: !refused.has('exclamations'),
    emoji: refused.has('emoji') ? ('without' as const) : wanted.has('emoji') ? ('with' as const) : null,
    contractions: refused.has('contractions')
      ? ('expand' as const)
      : wanted.has('contractions')
        ? ('contract' as const)
        : null,
    headline: !refused.has('headline'),
    callToAction: !refused.has('callToAction'),
  };
}
