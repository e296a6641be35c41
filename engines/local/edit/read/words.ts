/** Sets of words, and whether a text says nothing else. */

export const wordSet = (words: string): ReadonlySet<string> => new Set(words.split(' '));

/** One look per word: a pattern with a choice of words under a star could try each text in more ways than there is time for. */
export function saysOnly(text: string, words: ReadonlySet<string>): boolean {
  return text
    .split(' ')
    .filter(Boolean)
    .every((word) => words.has(word));
}
