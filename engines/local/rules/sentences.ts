/** Splits a text in any script into paragraphs, list items and sentences, and joins them again. */
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
  /(?:^|[\s(])(?:\p{Lu}|\p{L}\.\s?\p{L}|mr|mrs|ms|dr|prof|st|no|nr|vs|etc|approx|inc|ltd|co|jr|sr|bzw|ca|usw|evtl|ggf|inkl|zzgl|str|fig|vol|dept|est|mme|mlle)\.\s*$/iu;
const single = /(?:^|[\s(.])\p{Lu}\.\s*$/u;
const ordinal = /(?:^|\s)\d{1,2}\.\s*$/u;
const dated =
  /^(?:Januar|Jänner|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember|Jahrhundert|Jh)/u;

const goesOn = (before: string, after: string): boolean =>
  single.test(before) ||
  (/[.!?]['"”’»]\s*$/u.test(before) && /^\p{Ll}/u.test(after)) ||
  (abbreviation.test(before) && !/\b(?:etc|usw)\.\s*$/iu.test(before)) ||
  (ordinal.test(before) && dated.test(after));

export function sentences(text: string): string[] {
  const whole = [...text.matchAll(unbroken)].map(
    (match) => [match.index, match.index + match[0].trimEnd().length] as const,
  );
  let at = 0;
  let next = 0;
  /** Returns whether the place is inside a span that must stay whole. Places come in order. */
  const within = (place: number): boolean => {
    while (next < whole.length && (whole[next]?.[1] ?? 0) <= place) next++;
    return (whole[next]?.[0] ?? Infinity) < place;
  };
  const found: string[] = [];
  let open = '';
  for (const { segment } of bySentence.segment(text)) {
    if (open !== '' && !within(at) && !goesOn(open.slice(-24), segment)) {
      found.push(open);
      open = '';
    }
    open += segment;
    at += segment.length;
  }
  found.push(open);
  return found.map((sentence) => sentence.trim()).filter((sentence) => sentence !== '');
}

export function passages(text: string): Passage[] {
  const found: { marker: string; text: string; apart: boolean }[] = [];
  let apart = false;
  for (const line of text.split(/\r\n|[\n\r\u2028\u2029]/u)) {
    if (line.trim() === '') {
      apart = found.length > 0;
      continue;
    }
    const marker = item.exec(line)?.[1] ?? '';
    const words = line.replace(item, '').trim();
    const last = found.at(-1);
    // A wrapped line continues with a lower-case letter.
    if (last && !apart && marker === '' && /^\p{Ll}/u.test(words) && !/[.!?:。！？]$/u.test(last.text))
      last.text += ` ${words}`;
    else if (words !== '') found.push({ marker, text: words, apart });
    apart = false;
  }
  return found.map((passage) => ({ marker: passage.marker, apart: passage.apart, sentences: sentences(passage.text) }));
}

/** Joins sentences, without spaces after full stops of scripts that use none. */
export function joined(parts: readonly string[]): string {
  return parts.reduce(
    (text, part) => (text === '' || /[。！？」』]$/u.test(text) ? text + part : `${text} ${part}`),
    '',
  );
}

export function laidOut(parts: readonly Passage[]): string {
  return parts
    .filter((part) => part.sentences.length > 0)
    .map((part, i) => `${i === 0 ? '' : part.apart ? '\n\n' : '\n'}${part.marker}${joined(part.sentences)}`)
    .join('');
}
