/** Splits an instruction into clauses, and a clause into words with one spelling and the amount that they state. */
import { Phrases, phrasesOf, replacements } from '../../language/phrases.ts';
import vocabulary from './vocabulary.json' with { type: 'json' };

export interface Amount {
  /** Factor of the usual strength; 1 if the clause states none. */
  level: number;
  /** Percentage of the change, or null. */
  percent: number | null;
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
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => /[\p{L}\p{N}]/u.test(part));
}

const image =
  /\b(?:(?:the|this|my|that|our) )?(?:(?:whole|entire|full|original|given|attached) )?(?:photo|photograph|picture|image|pic|shot|snapshot)s?\b(?! of)/gu;
/** "16 by 9" is the ratio `16:9`; "800 x 600" is a size in pixels. */
const ratio = /(?<![\d.])(\d{1,2}(?:\.\d+)?)\s?(?::|\/|x|×|by|to)\s?(\d{1,2}(?:\.\d+)?)(?![\d.]|\s?%)/gu;
const token = /#[\da-f]+|[+-]?\d[\d.,:]*%?|[\p{L}\p{M}][\p{L}\p{M}\p{N}'-]*|[^\s\p{P}]/gu;
const withoutPoliteness = replacements(vocabulary.politeness);
const renamed = replacements(vocabulary.names);

/** Returns the words of a clause without politeness; `it` stands for the image. */
export function wordsOf(clause: string): string[] {
  const text = clause
    .toLowerCase()
    .replace(image, 'it')
    .replace(/\b(it|that|there)'s\b/gu, '$1 is')
    .replace(/\bcolor/gu, 'colour')
    .replace(/(\d)\s*(?:%|per ?cent\b)/gu, '$1% ')
    .replace(/(\d)\s*°/gu, '$1 degrees ')
    .replace(/^(?:use|add|set) (.*) as (?:the |a )?back(?:ground|drop)$/u, 'replace background with $1')
    .replace(/^(.*) \+(\d.*%) $/u, 'more $1 $2')
    .replace(/^(.*) -(\d.*%) $/u, 'less $1 $2')
    .replace(ratio, ' $1:$2 ');
  const words = withoutPoliteness(text.match(token) ?? []);
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

/** Takes the amounts out of a clause. A percentage after "to" is a result and stays. */
export function measured(words: readonly string[]): { rest: string[]; amount: Amount } {
  const amount: Amount = { level: 1, percent: null };
  const rest: string[] = [];
  for (let at = 0; at < words.length;) {
    const word = words[at] ?? '';
    const level = levels.at(words, at);
    if (amount.percent === null && /^\d+(?:[.,]\d+)?%$/u.test(word) && !/^(?:to|at)$/u.test(words[at - 1] ?? '')) {
      if (rest.at(-1) === 'by') rest.pop();
      amount.percent = Number.parseFloat(word.replace(',', '.'));
    } else if (level) amount.level = level.value;
    else rest.push(word);
    at = level?.end ?? at + 1;
    if (level && words[at] === 'of') at++;
  }
  return { rest, amount };
}

/** Returns an amount on a scale where a plain word means `usual` and 100 % means `all`. */
export function scaled({ level, percent }: Amount, usual: number, all: number): number {
  return percent === null ? usual * level : (percent / 100) * all;
}
