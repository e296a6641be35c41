/** Rewrites a text: English sentence by sentence, other languages only in their layout. */
import { speaksEnglish } from './language.ts';
import { guard } from './protect.ts';
import { ranked } from './ranking.ts';
import { cannot } from './refusals.ts';
import { relaid, reword } from './reword.ts';
import { laidOut, listed, passages, type Passage } from './sentences.ts';
import { summarize } from './summarize.ts';
import type { Wishes } from './wishes.ts';

/** @throws EngineError for languages other than English, unless the wishes concern only the layout */
export function rewrite(text: string, wishes: Wishes): string {
  const { list, sentences, words, characters } = wishes;
  const english = speaksEnglish(text);
  const limited = sentences !== null || words !== null || characters !== null;
  if (!english && list === null && !limited && wishes.emoji !== 'without' && wishes.exclamations)
    throw cannot('rewrite languages other than English');
  const source = passages(text);
  const written = (isInsisting: boolean): string => {
    const change = (sentence: string): string[] =>
      english ? reword(sentence, wishes, isInsisting) : relaid(sentence, wishes);
    const said = source.map((part) => each(part, change));
    const kept = wishes.length === 'shorter' ? shorter(said, source) : said;
    const items = kept.flatMap((part) => part.sentences);
    return list === null ? laidOut(kept) : listed(items, list);
  };
  let out = written(false);
  if (out === text.trim() && english && wishes.length !== 'shorter' && wishes.spelling === null) out = written(true);
  if (limited) out = summarize(out, wishes).text;
  return out === '' ? text.trim() : out;
}

const each = (passage: Passage, change: (sentence: string) => string[]): Passage => ({
  ...passage,
  sentences: passage.sentences.flatMap(change),
});

/** Drops the least important sentences if fewer words were not enough, but none with a name, a number or a quote. */
function shorter(parts: Passage[], source: Passage[]): Passage[] {
  const all = parts.flatMap((part) => part.sentences);
  const stillLong = laidOut(parts).length > laidOut(source).length * 0.9;
  const most = all.length >= 6 ? Math.floor(all.length / 4) : stillLong && all.length >= 4 ? 1 : 0;
  const least = ranked(all)
    .reverse()
    .filter((i) => i > 0 && isPlain(all[i] ?? ''));
  const gone = new Set(least.slice(0, most));
  let at = 0;
  return parts.map((part) => each(part, (sentence) => (gone.has(at++) ? [] : [sentence])));
}

/** First words that are no names; the guard cannot tell at the start of a sentence. */
const opening =
  /^(?:The|An?|We|They|It|This|That|These|Those|There|You|He|She|Our|Their|Its|Your|His|Her|My|In|On|At|For|With|But|And|So|If|When|While|Because|Some|Many|Most|All|Also|However)(?!\p{L})/u;

const isPlain = (sentence: string): boolean =>
  opening.test(sentence) && !sentence.endsWith('?') && guard(sentence).spans.length === 0;
