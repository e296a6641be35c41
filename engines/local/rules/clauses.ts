/** Splits long sentences between independent clauses. */
import { capital } from './phrasebook.ts';

const wordsIn = (text: string): number => text.split(/\s+/u).filter(Boolean).length;

const stands = '(?=(?:I|you|he|she|it|we|they|there|this|these|those) \\p{L}+)';
const joint = new RegExp(`(?:;\\s+(?:and |but )?|, (and|but|so) )${stands}`, 'gu');

/** @param most maximum words of a sentence */
export function split(text: string, most: number): string[] {
  if (wordsIn(text) <= most || /[?]$/u.test(text)) return [text];
  const end = /[.!]$/u.exec(text)?.[0] ?? '.';
  const parts: string[] = [];
  let from = 0;
  for (const match of text.matchAll(joint)) {
    const head = text.slice(from, match.index);
    const tail = text.slice(match.index + match[0].length);
    if (wordsIn(head) < 4 || wordsIn(tail) < 4 || /(?:if|when|because|not only|although|while)\b[^,]*$/iu.test(head))
      continue;
    parts.push(head);
    from = match.index + match[0].length;
    if (match[1] === 'but' || match[1] === 'so') {
      const link = match[1] === 'but' ? 'However, ' : 'So ';
      return [...parts.map((part) => `${capital(part)}${end}`), ...split(link + text.slice(from), most)];
    }
  }
  return [...parts, text.slice(from)].map((part, i) => (i < parts.length ? `${capital(part)}${end}` : capital(part)));
}
