/** Mends spacing, doubled punctuation and capitals, and changes no word. */
import { capital } from './phrasebook.ts';
import { guard, restore } from './protect.ts';

/** @param sentence guarded: in an address, a comma is no punctuation */
export function tidy(sentence: string): string {
  const mended = sentence
    .replaceAll(/[^\S\n]+/gu, ' ')
    .replaceAll(/ +([,;:!?](?![\p{L}\p{N}])|\.(?=\s|$))/gu, '$1')
    .replaceAll(/([,;])[,;]+/gu, '$1')
    .replaceAll(/!{2,}/gu, '!')
    .replaceAll(/\?{2,}/gu, '?')
    .replaceAll(/(?<!\.)\.\.(?!\.)/gu, '.')
    .replaceAll(/,(?=[.!?](?:\s|$))/gu, '')
    .replaceAll(/(?<=\p{L})([,;])(?=\p{L})/gu, '$1 ')
    .replaceAll(/\( +/gu, '(')
    .replaceAll(/ +\)/gu, ')')
    .replace(/^[\s,;:.]+(?=\S)/u, '')
    .trim();
  return capital(mended.replaceAll(/(?<![\p{L}\p{N}])i(?=\s|['’](?:m|ve|ll|d)\b)/gu, 'I'));
}

/** A sentence as it was written, but for its typing. */
export function tidied(sentence: string): string {
  const { text, spans } = guard(sentence);
  return restore(tidy(text), spans);
}
