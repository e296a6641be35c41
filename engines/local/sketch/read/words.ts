/** Splits a prompt into lower-case words, and finds singulars and numbers. */
import { numberWords, singulars } from './vocabulary.ts';

/** Returns the words without accents, hyphens and possessives. */
export function words(text: string): string[] {
  const plain = text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/['’]s\b/g, '');
  return plain.match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** Returns the singular of an English word, or the word itself. */
export function singular(word: string): string {
  const known = singulars.get(word);
  if (known) return known;
  if (word.length < 4 || /(ss|us|is|as)$/.test(word) || !word.endsWith('s')) return word;
  if (/[^aeiou]ies$/.test(word)) return `${word.slice(0, -3)}y`;
  if (/(ch|sh|x|zz|s|[^aeiou]o)es$/.test(word)) return word.slice(0, -2);
  return word.slice(0, -1);
}

/** Returns the number that a word means, at most ten; null if it means none. */
export function countOf(word: string): number | null {
  if (/^\d{1,4}$/.test(word)) return Math.min(10, Math.max(1, Number(word)));
  return numberWords.get(word) ?? null;
}
