/** Splits a prompt into lower-case words, and finds singulars and numbers. */
import { numberWords, singulars } from './vocabulary.ts';

/** Returns the words without accents, hyphens and possessives. */
export function words(text: string): string[] {
  const plain = text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  return plain.replaceAll(/['’]s\b/g, '').match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** Returns the singular of an English word, or the word itself. */
export function singular(word: string): string {
  const known = singulars.get(word);
  if (known) return known;
  if (word.length < 4 || !/(?<![suia])s$/.test(word)) return word;
  if (/[^aeiou]ies$/.test(word)) return `${word.slice(0, -3)}y`;
  return word.slice(0, /(ch|sh|x|zz|s|[^aeiou]o)es$/.test(word) ? -2 : -1);
}

/** Returns the number that a word means, at most ten; null if it means none. */
export const countOf = (word: string): number | null =>
  /^\d{1,4}$/.test(word) ? Math.min(10, Math.max(1, Number(word))) : (numberWords.get(word) ?? null);
