/** Corrects spacing, repeated punctuation and capitals, and changes no word. */
import { capital } from './phrasebook.ts';
import { guard, restore } from './protect.ts';

/** @param sentence guarded, because a comma in an address is no punctuation */
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

/** Returns a sentence with corrected typing. */
export function tidied(sentence: string): string {
  const { text, spans } = guard(sentence);
  return restore(tidy(text), spans);
}
