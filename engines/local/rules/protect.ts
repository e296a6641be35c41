/** Replaces names, numbers, quotes and addresses in a sentence with placeholders, restores them, and tidies typing. */
import { capital } from './phrasebook.ts';

export interface Guarded {
  /** The sentence with one private-use character for each span. */
  text: string;
  spans: readonly string[];
}

/** Placeholders are private-use characters of plane 15, which has 65,534 of them. */
const firstMark = 0xf0000;
const mostSpans = 65_000;
const mark = /[\u{F0000}-\u{FFFFD}]/gu;

const quoted = [
  '"[^"\\n]{1,2000}"',
  '“[^“”\\n]{1,2000}”',
  '«[^«»\\n]{1,2000}»',
  '„[^„“”\\n]{1,2000}[“”]',
  '‘[^‘’\\n]{1,2000}’(?!\\p{L})',
  '`[^`\\n]{1,2000}`',
].join('|');
const address =
  '(?:https?://|www\\.)[^\\s<>"]*[^\\s<>".,;:!?)\\]}’]|[\\w.+-]{1,64}@[\\w-]{1,64}(?:\\.[\\w-]{1,64})+|(?<![\\p{L}\\p{N}])[@#][\\p{L}\\p{N}_]+';
const number =
  "(?<![\\p{L}\\p{N}])(?:[$€£¥₹]\\s?)?\\p{L}*\\p{N}(?:[\\p{L}\\p{N}]|[.,:/’'–-](?=[\\p{L}\\p{N}]))*(?:\\s?[%‰€£]|°\\s?[CF]?)?";
const name =
  "(?<![\\p{L}\\p{N}])(?:\\p{Lu}|\\p{Ll}+\\p{Lu})[\\p{L}\\p{M}]*(?:[-’'](?!s\\b|ll\\b|re\\b|ve\\b|d\\b|m\\b)[\\p{L}\\p{M}]+)*";
/** Spans in which no sentence ends: quotes and addresses. */
export const unbroken = new RegExp(`${quoted}|${address}`, 'gu');

const fixed = new RegExp(`${quoted}|${address}|\\p{Co}|${number}|(${name})`, 'gu');
const pronoun = /^I(?:['’](?:m|ve|ll|d))?$/u;
const shouted = /^(?:\p{Lu}\p{Lu}|.*\p{Ll}\p{Lu})/u;

/** Returns a sentence in which no later replacement can change a fact. */
export function guard(sentence: string): Guarded {
  const spans: string[] = [];
  const text = sentence.replaceAll(fixed, (span: string, called: string | undefined, at: number) => {
    if (called !== undefined) {
      const opens = !/[\p{L}\p{N}]/u.test(sentence.slice(0, at));
      const partOfName = /^\s\p{Lu}\p{L}/u.test(sentence.slice(at + span.length));
      if (pronoun.test(span) || (opens && !shouted.test(span) && !partOfName)) return span;
    }
    return spans.length < mostSpans ? String.fromCodePoint(firstMark + spans.push(span) - 1) : span;
  });
  return { text, spans };
}

const indexOf = (character: string): number => (character.codePointAt(0) ?? 0) - firstMark;

/** Returns the text with its spans in place of the placeholders. */
export const restore = (text: string, spans: readonly string[]): string =>
  text.replaceAll(mark, (character) => spans[indexOf(character)] ?? character);

/** Returns whether each span occurs exactly once. */
export function keptAll(text: string, spans: readonly string[]): boolean {
  const left = (text.match(mark) ?? []).map(indexOf).sort((a, b) => a - b);
  return left.length === spans.length && left.every((index, i) => index === i);
}

const typing: readonly (readonly [RegExp, string])[] = [
  [/[^\S\n]+/gu, ' '],
  [/ +([,;:!?](?![\p{L}\p{N}])|\.(?=\s|$))/gu, '$1'],
  [/([,;])[,;]+/gu, '$1'],
  [/([!?])\1+/gu, '$1'],
  [/(?<!\.)\.\.(?!\.)/gu, '.'],
  [/,(?=[.!?](?:\s|$))/gu, ''],
  [/(?<=\p{L})([,;])(?=\p{L})/gu, '$1 '],
  [/\( +/gu, '('],
  [/ +\)/gu, ')'],
  [/^[\s,;:.]+(?=\S)/gu, ''],
  [/(?<![\p{L}\p{N}])i(?=\s|['’](?:m|ve|ll|d)\b)/gu, 'I'],
];

/** Corrects spacing, repeated punctuation and capitals of a guarded sentence, and changes no word. */
export const tidy = (guarded: string): string =>
  capital(typing.reduce((text, [pattern, correct]) => text.replaceAll(pattern, correct), guarded).trim());

/** Returns a sentence with corrected typing. */
export function tidied(sentence: string): string {
  const { text, spans } = guard(sentence);
  return restore(tidy(text), spans);
}
