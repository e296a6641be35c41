/** Splits a text in any script into paragraphs, list items and sentences, and joins them again. */
import { capital } from './phrasebook.ts';
import { unbroken } from './protect.ts';

export interface Passage {
  /** The marker of a list item: `- `. */
  marker: string;
  sentences: string[];
  /** Follows a blank line. */
  apart: boolean;
}

const bySentence = new Intl.Segmenter('en', { granularity: 'sentence' });
const item = /^\s*((?:[-*•–]|\d{1,2}[.)])\s+)/u;
const abbreviation =
  /(?:^|[\s(.])(?:\p{Lu}|\p{L}\.\s?\p{L}|mr|mrs|ms|dr|prof|st|no|nr|vs|approx|inc|ltd|co|jr|sr|bzw|ca|evtl|ggf|inkl|zzgl|str|fig|vol|dept|est|mme|mlle)\.\s*$/iu;
const ordinal = /(?:^|\s)\d{1,2}\.\s*$/u;
const dated =
  /^(?:Januar|Jänner|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember|Jahrhundert|Jh)/u;

/** Returns whether a sentence continues after a mark that only looks like its end. */
const goesOn = (before: string, after: string): boolean =>
  abbreviation.test(before) ||
  (ordinal.test(before) && dated.test(after)) ||
  (/[.!?]['"”’»]\s*$/u.test(before) && /^\p{Ll}/u.test(after));

export function sentences(text: string): string[] {
  // No sentence ends inside a quote or an address, so letters hide all but their last two characters.
  const masked = text.replaceAll(unbroken, (span) => 'X'.repeat(span.length - 2) + span.slice(-2));
  const found: string[] = [];
  for (const { segment, index } of bySentence.segment(masked)) {
    const part = text.slice(index, index + segment.length);
    const last = found.at(-1);
    if (last !== undefined && goesOn(last.slice(-24), part)) found[found.length - 1] = last + part;
    else found.push(part);
  }
  return found.map((sentence) => sentence.trim()).filter((sentence) => sentence !== '');
}

export function passages(text: string): Passage[] {
  const found: { marker: string; text: string; apart: boolean }[] = [];
  let apart = false;
  for (const line of text.split(/\r\n|[\n\r\u2028\u2029]/u)) {
    const marker = item.exec(line)?.[1] ?? '';
    const words = line.replace(item, '').trim();
    const last = found.at(-1);
    // A wrapped line continues with a lower-case letter.
    if (last && !apart && marker === '' && /^\p{Ll}/u.test(words) && !/[.!?:。！？]$/u.test(last.text))
      last.text += ` ${words}`;
    else if (words !== '') found.push({ marker, text: words, apart });
    apart = line.trim() === '' && found.length > 0;
  }
  return found.map((passage) => ({ marker: passage.marker, apart: passage.apart, sentences: sentences(passage.text) }));
}

/** Joins sentences, without spaces after full stops of scripts that use none. */
export const joined = (parts: readonly string[]): string =>
  parts.reduce((text, part) => (text === '' || /[。！？」』]$/u.test(text) ? text + part : `${text} ${part}`), '');

export const laidOut = (parts: readonly Passage[]): string =>
  parts
    .filter((part) => part.sentences.length > 0)
    .map((part, i) => `${i === 0 ? '' : part.apart ? '\n\n' : '\n'}${part.marker}${joined(part.sentences)}`)
    .join('');

/** Returns sentences as a list, one item per line. */
export const listed = (items: readonly string[], list: 'bullets' | 'numbers'): string =>
  items.map((item, i) => (list === 'numbers' ? `${i + 1}. ` : '- ') + item.replace(/(?<!\.)[.。]$/u, '')).join('\n');

const countWords = (text: string): number => text.split(/\s+/u).filter(Boolean).length;
const joint = /(?:;\s+(?:and |but )?|, (and|but|so) )(?=(?:I|you|he|she|it|we|they|there|this|these|those) \p{L}+)/gu;
const links = new Map([
  ['but', 'However, '],
  ['so', 'So '],
]);

/** Splits a sentence of more than `most` words between independent clauses. */
export function clauses(sentence: string, most: number): string[] {
  if (countWords(sentence) <= most || sentence.endsWith('?')) return [sentence];
  for (const { 0: mark, 1: conjunction = '', index } of sentence.matchAll(joint)) {
    const head = sentence.slice(0, index);
    const tail = sentence.slice(index + mark.length);
    const depends = /(?:if|when|because|not only|although|while)\b[^,]*$/iu.test(head);
    if (depends || countWords(head) < 4 || countWords(tail) < 4) continue;
    const end = /[.!]$/u.exec(sentence)?.[0] ?? '.';
    return [capital(head) + end, ...clauses(capital((links.get(conjunction) ?? '') + tail), most)];
  }
  return [sentence];
}
