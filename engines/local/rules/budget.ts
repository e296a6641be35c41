/** Counts tokens as four code points each, in every language, and cuts longer texts. */
import { sentences } from './sentences.ts';

const codePointsPerToken = 4;
const byGrapheme = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Returns the number of tokens of texts, rounded up. */
export const tokensOf = (...texts: string[]): number => Math.ceil([...texts.join('')].length / codePointsPerToken);

/** Cuts a text like `cutAt`, by tokens. */
export const cutToTokens = (text: string, maxTokens: number): string => cutAt(text, maxTokens * codePointsPerToken);

/** Cuts after a sentence if that keeps half of the allowed length; otherwise after a word or a character. */
export function cutAt(text: string, codePoints: number): string {
  const head = [...text].slice(0, codePoints).join('');
  if (head.length === text.length) return text;
  const whole = wholeSentences(text, head);
  if (whole.length * 2 >= head.length) return whole;
  const words = /^\s/u.test(text.slice(head.length)) ? head : head.replace(/(?<!\s)\s+\S*$/u, '');
  if (words !== head || words !== words.trimEnd()) return words.trimEnd();
  return head.slice(0, byGrapheme.segment(text).containing(head.length)?.index);
}

function wholeSentences(text: string, head: string): string {
  let end = 0;
  let from = 0;
  for (const sentence of sentences(head)) {
    from = head.indexOf(sentence, from) + sentence.length;
    const isWhole = from < head.length || /^\s/u.test(text.slice(head.length));
    if (isWhole && /[.!?。！？…]["”’»)]*$/u.test(sentence)) end = from;
  }
  return head.slice(0, end);
}

/** Returns a text without the blanks and punctuation at its end. */
export const trimmedEnd = (text: string): string => text.replace(/(?<![\s.,;:、，])[\s.,;:、，]+$/u, '');
