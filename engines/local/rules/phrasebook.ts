/** Replaces whole words and phrases, longest first, and corrects capitals and the article before them. */

export type Replace = (text: string) => string;

export const capital = (text: string): string =>
  text.replace(/^[^\p{L}\p{N}\p{Co}]*\p{Ll}/u, (first) => first.toUpperCase());

const vowel = /^(?:a|e(?!u)|i|o(?!ne\b|nce\b)|u(?!s[eaiu]|ni(?!n|m)|t[ei])|hour|honest|honou?r|heir)/iu;

/** Returns "a" or "an" for the text after it. */
function article(next: string): 'a' | 'an' {
  return vowel.test(next) ? 'an' : 'a';
}

/**
 * @param list `from=to`, separated by `|`; an empty `to` removes the words
 * @param before a lookbehind that must match
 */
export function phrasebook(list: string, before = ''): Replace {
  const entries = new Map(
    list.split('|').map((entry): [string, string] => {
      const [from = '', to = ''] = entry.split('=');
      return [from.trim(), to.trim()];
    }),
  );
  const longestFirst = [...entries.keys()].sort((a, b) => b.length - a.length).join('|');
  const pattern = new RegExp(
    `(?<![\\p{L}\\p{N}'’-])(?:(an?)(\\s+))?${before}(${longestFirst})(?![\\p{L}\\p{N}]|['’-]\\p{L})(\\s*)`,
    'giu',
  );
  return (text) =>
    text.replaceAll(pattern, (...match) => {
      const [whole = '', a, space = ' ', from = '', after = ''] = match as string[];
      const to = entries.get(from.toLowerCase());
      if (to === undefined) return whole;
      const rest = text.slice((match[5] as number) + whole.length);
      const upper = /^\p{Lu}/u.test(a ?? from) && !/^\p{Lu}/u.test(to);
      const next = to === '' ? rest : to;
      const known = /^\p{L}/u.test(next);
      const words = `${a === undefined ? '' : (known ? article(next) : a.toLowerCase()) + space}${to}${to === '' ? '' : after}`;
      return upper ? (words === '' ? words : capital(words)) : words;
    });
}
