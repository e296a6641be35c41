/** Rewords one English sentence in the requested tone. */
import { contract, expand } from './contractions.ts';
import { inTone, type Tone } from './phrasebook.ts';
import { guard, keptAll, restore, tidied, tidy } from './protect.ts';
import { clauses } from './sentences.ts';
import { respell } from './spelling.ts';
import type { Wishes } from './wishes.ts';

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
 * @param isInsisting uses synonyms and contractions that the wishes do not need
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
export function relaid(sentence: string, wishes: Wishes): string[] {
  const { text, spans } = guard(sentence);
  return [restore(tidy(plain(text, { ...wishes, formal: false })), spans)];
}
