/** Counts tokens as four code points each, in every language, and cuts longer texts. */
import { sentences } from './sentences.ts';

const codePointsAToken = 4;

const lengthOf = (text: string): number => [...text].length;

export function tokensOf(...texts: (string | null)[]): number {
  const all = texts.reduce((sum, text) => sum + (text === null ? 0 : lengthOf(text)), 0);
  return Math.ceil(all / codePointsAToken);
}

/** Cuts after a sentence if that keeps half of the allowed length; otherwise after a word or a character. */
export function cutToTokens(text: string, maxTokens: number): string {
  const most = maxTokens * codePointsAToken;
  if (lengthOf(text) <= most) return text;
  return cutAt(text, most);
}

export function cutAt(text: string, codePoints: number): string {
  const head = [...text].slice(0, codePoints).join('');
  if (head.length === text.length) return text;
  const whole = wholeSentences(text, head);
  if (whole.length * 2 >= head.length) return whole;
  const next = text.slice(head.length);
  // Drops a word that the cut splits, unless nothing would remain.
  const word = /^\s/u.test(next) ? head : head.replace(/(?<!\s)\s+\S*$/u, '');
  const kept = (word === head && /^\S/u.test(next) ? graphemes(text, head.length) : word).trimEnd();
  return kept === '' ? whole : kept;
}

function wholeSentences(text: string, head: string): string {
  let end = 0;
  let from = 0;
  for (const sentence of sentences(head)) {
    const at = head.indexOf(sentence, from);
    if (at < 0) break;
    from = at + sentence.length;
    if (from < head.length || /^\s/u.test(text.slice(head.length)))
      end = /[.!?。！？…]["”’»)]*$/u.test(sentence) ? from : end;
  }
  return head.slice(0, end);
}

const byGrapheme = new Intl.Segmenter('en', { granularity: 'grapheme' });

function graphemes(text: string, most: number): string {
  let end = 0;
  for (const { index, segment } of byGrapheme.segment(text.slice(0, most + 64))) {
    if (index + segment.length > most) break;
    end = index + segment.length;
  }
  return text.slice(0, end);
}
