/** Rewords one English sentence in the requested tone. */
import { split } from './clauses.ts';
import { contract, expand } from './contractions.ts';
import { guard, keptAll, restore } from './protect.ts';
import { respell } from './spelling.ts';
import { tidied, tidy } from './tidy.ts';
import { curt, formal, friendly, inContext, longer, neutral, simple, stronger, trimmed, wordy } from './vocabulary.ts';
import type { Wishes } from './wishes.ts';

export const emojis = /\s?\p{Extended_Pictographic}[\p{Emoji_Modifier}\u200d\ufe0f\p{Extended_Pictographic}]*/gu;
const aside = /\s*\([^()\p{Co}]{1,200}\)/gu;
const connector =
  /^(?:However|Moreover|Furthermore|Additionally|In addition|In fact|Indeed|Also|Of course|Clearly|Obviously|Naturally), /u;

function toned(text: string, wishes: Wishes): string {
  let out = text;
  if (wishes.formal) out = formal(out);
  if (wishes.friendly || wishes.playful) out = friendly(out);
  if (wishes.simple) out = simple(out);
  return out;
}

function wordsOf(text: string, wishes: Wishes): string {
  const { formal: isFormal, friendly: isFriendly, playful, simple: isSimple, length } = wishes;
  let out = text;
  if (length !== 'longer') out = trimmed(stronger(wordy(out)));
  if (length === 'shorter') out = curt(out.replace(connector, '').replaceAll(aside, ''));
  out = toned(out, wishes);
  if (length === 'longer') out = longer(out);
  if (!isFormal && !isFriendly && !playful && !isSimple && length === null) out = neutral(inContext(out));
  if (isFormal || length === 'longer' || wishes.contractions === 'expand') out = expand(out);
  else if (isFriendly || playful || wishes.contractions === 'contract' || length === 'shorter') out = contract(out);
  return out;
}

/** @returns one sentence, or several if it was too long */
export function reword(sentence: string, wishes: Wishes): string[] {
  const { text: guarded, spans } = guard(sentence);
  let text = wordsOf(tidy(guarded), wishes);
  if (wishes.formal || !wishes.exclamations) text = text.replaceAll('!', '.');
  if (wishes.formal || wishes.emoji === 'without') text = text.replaceAll(emojis, '');
  if (wishes.spelling) text = respell(text, wishes.spelling);
  text = tidy(text);
  const parts = wishes.length === 'shorter' ? [text] : split(text, wishes.simple ? 16 : 26);
  return keptAll(parts.join(' '), spans) ? parts.map((part) => restore(tidy(part), spans)) : [tidied(sentence)];
}

/** Changes the contractions of a sentence in which no word could be replaced. */
export function turned(sentence: string, wishes: Wishes): string {
  const { text: guarded, spans } = guard(sentence);
  const text = tidy(guarded);
  const informal = wishes.friendly || wishes.playful || wishes.contractions === 'contract';
  const stiff = wishes.formal || wishes.contractions === 'expand';
  const joints = informal ? [contract] : stiff ? [expand] : [expand, contract];
  for (const turn of [...joints, trimmed, inContext, neutral].map(
    // The tone can require another word than the neutral one.
    (turning) => (words: string) => toned(turning(words), wishes),
  )) {
    const out = tidy(turn(text));
    if (out !== text && keptAll(out, spans)) return restore(out, spans);
  }
  return sentence;
}
