/** Tables from phrases to meanings, and the reader that finds the longest known phrase at a place in a text. */

export const wordSet = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/u));

/** Looks up each word once, so that the time is linear in the length of the text. */
export const saysOnly = (words: readonly string[], known: ReadonlySet<string>): boolean =>
  words.every((word) => known.has(word));

/**
 * Parses lines of the form `meaning: phrase, phrase`. A line without a colon continues the line before it.
 * `big|large dog|` stands for "big", "large", "big dog" and "large dog".
 */
export function phraseTable(lines: string): [phrase: string, meaning: string][] {
  let meaning = '';
  return lines
    .trim()
    .split('\n')
    .flatMap((line) => {
      const colon = line.indexOf(':');
      if (colon >= 0) meaning = line.slice(0, colon).trim();
      const phrases = line
        .slice(colon + 1)
        .split(',')
        .flatMap(alternatives);
      return phrases.filter((phrase) => phrase !== '').map((phrase): [string, string] => [phrase, meaning]);
    });
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

export class Phrases<T> {
  readonly #values: ReadonlyMap<string, T>;
  readonly #longest: number;
  readonly #skipped: ReadonlySet<string>;

  /** @param skipped words that may stand between the words of a phrase, one at a time */
  constructor(entries: Iterable<readonly [phrase: string, value: T]>, skipped: ReadonlySet<string> = new Set()) {
    this.#values = new Map(entries);
    this.#longest = Math.max(...[...this.#values.keys()].map((phrase) => phrase.split(' ').length));
    this.#skipped = skipped;
  }

  get(phrase: string): T | undefined {
    return this.#values.get(phrase);
  }

  /** Returns the value and the end of the longest phrase that starts at `start`. */
  at(words: readonly string[], start: number): { value: T; end: number } | null {
    let found: { value: T; end: number } | null = null;
    let phrase = words[start] ?? '';
    for (let end = start + 1, count = 1; ; end++) {
      const value = this.#values.get(phrase);
      if (value !== undefined) found = { value, end };
      if (this.#skipped.has(words[end] ?? '') && !this.#values.has(`${phrase} ${words[end] ?? ''}`)) end++;
      if (end >= words.length || ++count > this.#longest) return found;
      phrase += ` ${words[end] ?? ''}`;
    }
  }

  /** Returns the words with each known phrase replaced. */
  replaced(words: readonly string[], replacement: (value: T) => readonly string[]): string[] {
    const out: string[] = [];
    for (let at = 0; at < words.length;) {
      const found = this.at(words, at);
      out.push(...(found ? replacement(found.value) : [words[at] ?? '']));
      at = found?.end ?? at + 1;
    }
    return out;
  }
}

/** Returns a function that replaces phrases, from lines of the form `replacement: phrase, phrase`. */
export function replacements(lines: string, skipped?: ReadonlySet<string>): (words: readonly string[]) => string[] {
  const entries = phraseTable(lines).map(([phrase, to]) => [phrase, to.split(' ').filter(Boolean)] as const);
  const phrases = new Phrases(entries, skipped);
  return (words) => phrases.replaced(words, (to) => to);
}
