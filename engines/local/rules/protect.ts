/** Replaces names, numbers, quotes and addresses in a sentence with placeholders, and restores them. */

export interface Guarded {
  /** The sentence with one private-use character for each span: plane 15 for numbers, 16 for the others. */
  text: string;
  spans: readonly string[];
}

const numbers = 0xf0000;
const others = 0x100000;
const most = 65_000;

export const aNumber = '[\\u{F0000}-\\u{FFFFD}]';

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

const fixed = new RegExp(`(${quoted}|${address}|\\p{Co})|(${number})|(${name})`, 'gu');
const pronoun = /^I(?:['’](?:m|ve|ll|d))?$/u;
const shouted = /^(?:\p{Lu}\p{Lu}|.*\p{Ll}\p{Lu})/u;

export function guard(sentence: string): Guarded {
  const spans: string[] = [];
  const text = sentence.replaceAll(fixed, (...match) => {
    const [whole, , digits, called] = match as string[];
    const at = match[4] as number;
    if (called !== undefined && whole !== undefined) {
      const opens = !/[\p{L}\p{N}]/u.test(sentence.slice(0, at));
      const next = sentence.slice(at + whole.length);
      const partOfName = /^\s\p{Lu}[\p{Ll}\p{Lu}]/u.test(next);
      if (pronoun.test(whole) || (opens && !shouted.test(whole) && !partOfName)) return whole;
    }
    if (spans.length >= most || whole === undefined) return whole ?? '';
    spans.push(whole);
    return String.fromCodePoint((digits === undefined ? others : numbers) + spans.length - 1);
  });
  return { text, spans };
}

const mark = /[\u{F0000}-\u{FFFFD}\u{100000}-\u{10FFFD}]/gu;

const indexOf = (character: string): number => {
  const code = character.codePointAt(0) ?? 0;
  return code >= others ? code - others : code - numbers;
};

export function restore(text: string, spans: readonly string[]): string {
  return text.replaceAll(mark, (character) => spans[indexOf(character)] ?? character);
}

/** Returns whether each span occurs exactly once. */
export function keptAll(text: string, spans: readonly string[]): boolean {
  const left = (text.match(mark) ?? []).map(indexOf).sort((a, b) => a - b);
  return left.length === spans.length && left.every((index, i) => index === i);
}
