/** Splits an instruction into clauses, and a clause into words with one spelling and the amount that they state. */
import { Phrases, phrasesOf, replacements, wordSet } from '../../language/phrases.ts';
import vocabulary from './vocabulary.json' with { type: 'json' };

export interface Amount {
  /** 1 if the clause says nothing. */
  level: number;
  /** Percentage in the clause, or null. */
  percent: number | null;
  /** `by` is a change, `to` a result; null if the percentage stands alone. */
  said: 'by' | 'to' | null;
}

/** A comma or full stop inside a number separates nothing. */
const separator =
  /[;\n!?]+|,(?!\d)|\.(?=\s|$)|\s(?:and then|and also|then|and|also|plus|but|while|as well as)\s|\s[-–—]\s|\s&\s/giu;

export function clauses(instruction: string): string[] {
  return instruction
    .normalize('NFKC')
    .replace(/[‘’]/gu, "'")
    .replace(/[“”"`]/gu, ' ')
    .replace(/\bblack\s(?:and|&|n)\swhite\b|\bblack-and-white\b|\bb\s?[&/]\s?w\b/giu, 'monochrome')
    .replace(/\b(everything|all) but\b/giu, '$1 except')
    .replace(/\bleft and right( sides?)?\b/giu, 'sides')
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => /[\p{L}\p{N}]/u.test(part));
}

const courteous = replacements(vocabulary.politeness);
const renamed = replacements(vocabulary.names);
const image =
  /\b(?:(?:the|this|my|that|our) )?(?:(?:whole|entire|full|original|given|attached) )?(?:photo|photograph|picture|image|pic|shot|snapshot)s?\b(?! of)/gu;
/** "16 by 9" is the ratio `16:9`; "800 x 600" is a size in pixels. */
const ratio = /(?<![\d.])(\d{1,2}(?:\.\d+)?)\s?(?::|\/|x|×|by|to)\s?(\d{1,2}(?:\.\d+)?)(?![\d.]|\s?%)/gu;
const token = /#[\da-f]+|[+-]?\d[\d.,:]*%?|[\p{L}\p{M}][\p{L}\p{M}\p{N}'-]*|[^\s\p{P}]/gu;

/** Returns the words of a clause without politeness; `it` stands for the image. */
export function wordsOf(clause: string): string[] {
  const text = clause
    .toLowerCase()
    .replace(image, 'it')
    .replace(/\b(it|that|there)'s\b/gu, '$1 is')
    .replace(/\bcolor/gu, 'colour')
    .replace(/(\d)\s*(?:%|per ?cent\b)/gu, '$1% ')
    .replace(/(\d)\s*°/gu, '$1 degrees ')
    .replace(ratio, ' $1:$2 ');
  const words = courteous(text.match(token) ?? []);
  const last = words.pop();
  if (last !== undefined && last !== 'too') words.push(last === 'this' ? 'it' : last);
  return renamed(words);
}

const inOneSpelling = replacements(vocabulary.spellings);
const withMask = replacements(vocabulary.area);

/** Returns the words with one spelling for each meaning. @param mask a mask shows "this area" */
export function spelled(words: readonly string[], mask: boolean): string[] {
  return inOneSpelling(mask ? withMask(words) : words);
}

const levels = new Phrases(phrasesOf(vocabulary.levels).map(([phrase, level]) => [phrase, Number(level)]));
const shares = new Phrases(phrasesOf(vocabulary.shares));
const sides = wordSet('left right top bottom');
const approximately = wordSet('about around roughly only');

/** Takes the amounts out of a clause. */
export function measured(words: readonly string[]): { rest: string[]; amount: Amount } {
  const amount: Amount = { level: 1, percent: null, said: null };
  const rest: string[] = [];
  for (let at = 0; at < words.length;) {
    const share = amount.percent === null ? shareAt(words, at) : null;
    const level = share ? null : levels.at(words, at);
    if (share) {
      while (approximately.has(rest.at(-1) ?? '')) rest.pop();
      const link = rest.at(-1) ?? '';
      if (link === 'by' || link === 'to' || link === 'at') rest.pop();
      amount.percent = share.percent;
      amount.said = share.by || link === 'by' ? 'by' : link === 'to' || link === 'at' ? 'to' : null;
    } else if (level) amount.level = level.value;
    else rest.push(words[at] ?? '');
    at = share?.end ?? level?.end ?? at + 1;
    if (level && words[at] === 'of') at++;
  }
  return { rest, amount };
}

function shareAt(words: readonly string[], at: number): { percent: number; by: boolean; end: number } | null {
  const [before = '', word = ''] = [words[at - 1], words[at]];
  if (word.endsWith('%')) {
    const percent = Number(word.slice(0, -1).replace(',', '.'));
    return Number.isNaN(percent) ? null : { percent, by: /^[+-]/u.test(word), end: at + 1 };
  }
  if (sides.has(before) && /^(?:half|third|quarter)$/u.test(word))
    return { percent: word === 'half' ? 50 : word === 'third' ? 33 : 25, by: false, end: at + 1 };
  const found = shares.at(words, at);
  if (!found || (word === 'half' && before !== 'by' && before !== 'to')) return null;
  return { percent: Number.parseInt(found.value, 10), by: found.value.endsWith('by'), end: found.end };
}

/** Returns an amount on a scale where a plain word means `usual` and 100 % means `all`. */
export function scaled({ level, percent }: Amount, usual: number, all: number): number {
  return percent === null ? usual * level : (percent / 100) * all;
}
