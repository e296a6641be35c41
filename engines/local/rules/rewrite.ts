/** Rewrites a text: English sentence by sentence, other languages only in their layout. */
import { contract, expand } from './contractions.ts';
import { speaksEnglish } from './language.ts';
import { inTone, type Tone } from './phrasebook.ts';
import { guard, keptAll, restore, tidied, tidy } from './protect.ts';
import { clauses, laidOut, listed, passages, type Passage } from './sentences.ts';
import { respell } from './spelling.ts';
import { ranked, summarize } from './summarize.ts';
import { cannot, type Wishes } from './wishes.ts';

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

const emojis = /\s?\p{Extended_Pictographic}[\p{Emoji_Modifier}\u200d\ufe0f\p{Extended_Pictographic}]*/gu;
const aside = /\s*\([^()\p{Co}]{1,200}\)/gu;
const connector =
  /^(?:However|Moreover|Furthermore|Additionally|In addition|In fact|Indeed|Also|Of course|Clearly|Obviously|Naturally), /u;

/** Returns the tables of words that wishes need, in the order of their use. */
function tonesOf({ length, formal, friendly, playful, simple }: Wishes, isInsisting: boolean): Tone[] {
  const informal = friendly || playful;
  const isNeutral = !formal && !informal && !simple && length === null;
  const own: readonly [Tone, boolean][] = [
    ['wordy', length !== 'longer'],
    ['stronger', length !== 'longer'],
    ['filler', length !== 'longer'],
    ['curt', length === 'shorter'],
    ['neutral', isNeutral || isInsisting],
    ['formal', formal],
    ['friendly', informal],
    ['simple', simple],
    ['longer', length === 'longer'],
  ];
  return own.filter(([, applies]) => applies).map(([tone]) => tone);
}

/**
 * Rewords one English sentence in the requested tone.
 * @param isInsisting whether to use synonyms and contractions that the wishes do not need
 * @returns one sentence, or several if it was too long
 */
export function reword(sentence: string, wishes: Wishes, isInsisting = false): string[] {
  const { text, spans } = guard(sentence);
  const { length, contractions } = wishes;
  let out = tidy(text);
  if (length === 'shorter') out = out.replace(connector, '').replaceAll(aside, '');
  for (const tone of tonesOf(wishes, isInsisting)) out = inTone(tone, out);
  if (wishes.formal || length === 'longer' || contractions === 'expand') out = expand(out);
  else if (wishes.friendly || wishes.playful || contractions === 'contract' || length === 'shorter')
    out = contract(out);
  else if (isInsisting) out = expand(out) === out ? contract(out) : expand(out);
  if (wishes.spelling) out = respell(out, wishes.spelling);
  out = tidy(plain(out, wishes));
  const parts = length === 'shorter' ? [out] : clauses(out, wishes.simple ? 16 : 26);
  return keptAll(parts.join(' '), spans) ? parts.map((part) => restore(tidy(part), spans)) : [tidied(sentence)];
}

/** Removes the exclamation marks and emojis that are not wanted. */
function plain(text: string, { formal, exclamations, emoji }: Wishes): string {
  const calm = formal || !exclamations ? text.replaceAll('!', '.').replaceAll('！', '。') : text;
  return formal || emoji === 'without' ? calm.replaceAll(emojis, '') : calm;
}

/** Changes only the marks and emojis of a sentence in another language. */
function relaid(sentence: string, wishes: Wishes): string[] {
  const { text, spans } = guard(sentence);
  return [restore(tidy(plain(text, { ...wishes, formal: false })), spans)];
}
