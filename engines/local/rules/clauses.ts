/** Reorders the clauses of an English sentence, and splits long sentences between independent clauses. */
import { aNumber, type Guarded } from './protect.ts';
import { capital } from './phrasebook.ts';

/** First words that can lose their capital; any other could be a name. */
const opener =
  /^(?:The|A|An|This|That|These|Those|We|You|He|She|It|They|My|Your|His|Her|Its|Our|Their|There|Some|Many|Most|All|Each|Every|Both|No|In|On|At|During|After|Before|By|Since|If|When|Because|Although|While|People|Everyone)(?!\p{L})/u;
const pronounI = /^I(?!\p{L})/u;

const small = (clause: string): string | null =>
  opener.test(clause)
    ? clause.charAt(0).toLowerCase() + clause.slice(1)
    : pronounI.test(clause) || /^\p{Co}/u.test(clause)
      ? clause
      : null;

const wordsIn = (text: string): number => text.split(/\s+/u).filter(Boolean).length;
const bound =
  /(?<!\p{L})(?:only|even|just|as|or|not|is|are|was|were|that['’]s|it['’]s|and|but|what|know|ask|asked|wonder|simply|partly|why|see|sure|of|than)$/iu;

/** Turns "A because B." into "Because B, A." and back. */
export function turnClauses(text: string): string {
  const end = /[.!]$/u.exec(text)?.[0] ?? '';
  if (end === '') return text;
  const body = text.slice(0, -1);
  const front = /^(Because|If|When|Although|While|After|Before|Since) ([^,;:()]+), ([^,;:()]+)$/u.exec(body);
  if (front) {
    const [, link = '', side = '', main = ''] = front;
    if (/^(?:that|this|all|long|then|so|please)(?!\p{L})/iu.test(side) || wordsIn(side) < 2 || wordsIn(main) < 2)
      return text;
    if (/^(?:then|please|do|don['’]t|so|who|what|how|why)(?!\p{L})/iu.test(main)) return text;
    return `${capital(main)} ${link.toLowerCase()} ${side}${end}`;
  }
  const back = /^([^,;:()]+?),? (because|if|when|although|while) (?!of )([^,;:()]+)$/u.exec(body);
  if (!back) return text;
  const [, main = '', link = '', side = ''] = back;
  const lower = small(main);
  if (lower === null || bound.test(main) || wordsIn(main) < 3 || wordsIn(side) < 3) return text;
  if (/ (?:because|if|when|although|while|that|who|which|and|but|or|so) /u.test(` ${main} `)) return text;
  return `${capital(link)} ${side}, ${lower}${end}`;
}

const leading = /^((?:In|On|At|During|After|Before|By|Since|Until) [^,;:()]{1,40}), ([^;:()]+)([.!])$/u;
const timely = new RegExp(
  `${aNumber}|(?<!\\p{L})(?:year|years|month|week|day|morning|afternoon|evening|night|noon|midnight|season|weekend|century|lunch|dinner|breakfast|winter|summer|autumn|spring|hour|minutes)(?!\\p{L})`,
  'u',
);
const atYear = new RegExp(`^([^,;:()]+) (in|since) (${aNumber})([.!])$`, 'u');

/** Turns "In 1990, A." into "A in 1990." and back. */
export function turnTimes({ text, spans }: Guarded): string {
  const front = leading.exec(text);
  if (front) {
    const [, time = '', main = '', end = ''] = front;
    const fits =
      timely.test(time) && !main.includes(',') && wordsIn(main) >= 2 && !/ (?:in|on|at|by|since) \P{Co}*$/u.test(main);
    if (fits) return `${capital(main)} ${time.charAt(0).toLowerCase()}${time.slice(1)}${end}`;
    return text;
  }
  const back = atYear.exec(text);
  if (!back) return text;
  const [, main = '', link = '', when = '', end = ''] = back;
  const lower = small(main);
  const year = spans[(when.codePointAt(0) ?? 0) - 0xf0000] ?? '';
  if (lower === null || !/^(?:1[0-9]|20)\d\d$/u.test(year) || wordsIn(main) < 3 || / (?:and|or|from) /u.test(main))
    return text;
  return `${capital(link)} ${when}, ${lower}${end}`;
}

const place =
  /^([^,;:()?]{6,}?) ((?:under|near|behind|beside|during|after|before|above|below|over|across|through|along|on|in|at) (?:the|a|an|my|our|his|her|their|its|this) [\p{L}\p{Co} -]{2,40})([.!]?)$/u;

/** Moves the place at the end of a sentence to its start, if nothing else changed the sentence. */
export function turnPlace(text: string): string {
  const found = place.exec(text);
  const [, main = '', where = '', end = ''] = found ?? [];
  const lower = found ? small(main) : null;
  if (lower === null || wordsIn(main) < 3 || / (?:that|who|which|because|if|when|and|or|to) /u.test(` ${where} `))
    return text;
  return `${capital(where)}, ${lower}${end}`;
}

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
