/** Tables from phrases to meanings, and functions that find or replace the known phrases of a text. */

export const wordSet = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/u));

/**
 * Returns the phrases of a table `{ meaning: "phrase, phrase" }` with their meanings.
 * `big|large dog|` stands for "big", "large", "big dog" and "large dog".
 */
export function phrasesOf<T extends string>(table: Readonly<Record<T, string>>): [phrase: string, meaning: T][] {
  return Object.entries<string>(table).flatMap(([meaning, phrases]) =>
    phrases
      .split(',')
      .flatMap(alternatives)
      .filter((phrase) => phrase !== '')
      .map((phrase): [string, T] => [phrase, meaning as T]),
  );
}

function alternatives(pattern: string): string[] {
  return pattern
    .trim()
    .split(' ')
    .reduce(
      (heads, choices) => heads.flatMap((head) => choices.split('|').map((choice) => `${head} ${choice}`.trim())),
      [''],
    );
}

/**
 * Returns the source of a pattern that finds a list of phrases as whole words; `bullet*` finds words that start so.
 * Scripts without spaces are found anywhere.
 */
export function wordPattern(phrases: string): string {
  const all = phrases.split(',').flatMap(alternatives);
  const isSpaced = (phrase: string): boolean => /^[\p{Script=Latin}\p{N}]/u.test(phrase);
  const spaced = all
    .filter(isSpaced)
    .map((phrase) => (phrase.endsWith('*') ? phrase.slice(0, -1) : `${phrase}(?!-?\\p{L})`).replaceAll(' ', '[\\s-]+'));
  const others = all.filter((phrase) => !isSpaced(phrase));
  return `(?:${[`(?<!\\p{L})(?:${spaced.join('|')})`, ...others].join('|')})`;
}

export class Phrases<T> {
  readonly #values: ReadonlyMap<string, T>;
  readonly #longest: number;

  constructor(entries: Iterable<readonly [phrase: string, value: T]>) {
    this.#values = new Map(entries);
    this.#longest = Math.max(...[...this.#values.keys()].map((phrase) => phrase.split(' ').length));
  }

  /** Returns the value and the end of the longest phrase that starts at `start`. */
  at(words: readonly string[], start: number): { value: T; end: number } | null {
    for (let end = Math.min(words.length, start + this.#longest); end > start; end--) {
      const value = this.#values.get(words.slice(start, end).join(' '));
      if (value !== undefined) return { value, end };
    }
    return null;
  }
}

/** Returns a function that replaces the phrases of a table by their meanings. */
export function replacements(table: Readonly<Record<string, string>>): (words: readonly string[]) => string[] {
  const phrases = new Phrases(phrasesOf(table));
  return (words) => {
    const out: string[] = [];
    for (let at = 0; at < words.length;) {
      const found = phrases.at(words, at);
      out.push(...(found ? found.value.split(' ').filter(Boolean) : [words[at] ?? '']));
      at = found?.end ?? at + 1;
    }
    return out;
  };
}
