/** Writes copy from the facts of a brief: a headline, a few sentences and a call to action. Adds no facts. */
import { readBrief, type CopyBrief } from './brief.ts';
import { speaksEnglish } from './language.ts';
import { capital } from './phrasebook.ts';
import { ranked } from './ranking.ts';
import { cannot } from './refusals.ts';
import { reword } from './reword.ts';
import { respell } from './spelling.ts';
import { toneOf, type Tone } from './tones.ts';
import { readWishes, type Wishes } from './wishes.ts';

export interface Copy {
  headline: string;
  body: string;
  sentences: string[];
  callToAction: string;
}

/** @throws EngineError for briefs that are not in English */
export function copy(text: string, instructions: string | null): Copy {
  const wishes = readWishes(instructions);
  if (!speaksEnglish(text)) throw cannot('write copy in other languages than English');
  const brief = readBrief(text);
  const tone = toneOf(wishes);
  const style = (line: string): string => finish(line, wishes);
  const sentences = bodyOf(brief, tone, wishes).map(style);
  return {
    headline: style(decorated(headlineOf(brief, tone), tone, wishes)),
    body: wishes.list === null ? sentences.join(' ') : pointed(sentences[0] ?? '', brief, wishes),
    sentences,
    callToAction: style(callOf(text, brief, tone)),
  };
}

export function copyText({ headline, body, callToAction }: Copy, instructions: string | null): string {
  const wishes = readWishes(instructions);
  return [wishes.headline ? headline : '', body, wishes.callToAction ? callToAction : '']
    .filter((part) => part !== '')
    .join('\n\n');
}

const named = (subject: string): boolean => /^(?:\p{Lu}|(?:our|my|your|the|all|some|\p{N}+) )/u.test(subject);
const called = (subject: string): string => (named(subject) ? inside(subject) : `the ${subject}`);
/** A headline names the subject without "our". */
const bare = (subject: string): string => subject.replace(/^(?:our|my|your|the)\s+/iu, '');
/** "Our" inside a sentence is no name. */
const inside = (subject: string): string =>
  subject.replace(/^(?:Our|My|Your|The)(?=\s)/u, (word) => word.toLowerCase());

function headlineOf({ subject, where, features, whole }: CopyBrief, tone: Tone): string {
  const fitting = features.filter((feature) => feature.length <= 36 && (!whole || /^(?:an?|the)\s/iu.test(feature)));
  const name = bare(subject);
  const there = where !== null && located.test(where) ? `${name} ${where}` : name;
  if (whole && fitting.length === 0) return capital(there);
  return capital(tone.headline(fitting.length === 0 ? there : name, fitting[0] ?? null));
}

const located = /^(?:at|in|on|from)\s/iu;

const decorated = (line: string, tone: Tone, wishes: Wishes): string =>
  wishes.emoji === 'with' ? `${tone.emoji} ${line}` : line;

export function series(items: readonly string[]): string {
  if (items.length < 2) return items[0] ?? '';
  const mark = items.some((item) => item.includes(',')) ? ';' : ',';
  return `${items.slice(0, -1).join(`${mark} `)}${items.length > 2 && mark === ';' ? ';' : ''} and ${items.at(-1) ?? ''}`;
}

function bodyOf(brief: CopyBrief, tone: Tone, wishes: Wishes): string[] {
  const { subject, where, features, audience, statements, whole } = brief;
  const short = wishes.length === 'shorter';
  const most = wishes.sentences ?? (short ? 1 : 3);
  if (whole) {
    const best = ranked(statements)
      .slice(0, most)
      .sort((a, b) => a - b);
    return best.flatMap((i) => reword(statements[i] ?? '', { ...wishes, length: null }));
  }
  const main = features.slice(0, features.length > 5 ? 4 : 5);
  const more = features.slice(main.length);
  const lines = [
    `${tone.meet(where === null ? called(subject) : `${called(subject)} ${where}`)}${main.length > 0 ? `: ${series(main)}` : ''}.`,
    ...statements.flatMap((statement) => reword(statement, { ...wishes, length: null })),
    more.length > 0 ? `${tone.more}: ${series(more)}.` : '',
    audience === null ? '' : tone.audience(audience),
    tone.closing,
  ].filter((line) => line !== '');
  // Facts come before the closing line.
  return lines.slice(0, most);
}

function pointed(lead: string, { features, statements }: CopyBrief, wishes: Wishes): string {
  const marker = (i: number): string => (wishes.list === 'numbers' ? `${i + 1}. ` : '- ');
  const items = features.length > 0 ? features : statements.length > 0 ? statements : [lead];
  return items
    .slice(0, wishes.sentences ?? 8)
    .map((item, i) => marker(i) + capital(item.replace(/\.$/u, '')))
    .join('\n');
}

/** Calls to action for the verbs that a brief uses. */
const calls: readonly (readonly [RegExp, string])[] = [
  [/\b(?:sign(?:ing)? up|register|registration)\b/iu, 'Sign up'],
  [/\bsubscri(?:be|ption)\b/iu, 'Subscribe'],
  [/\bdownload\b|\bapp\b/iu, 'Get the app'],
  [/\bbook(?:ing|ings)?\b(?! about| by| of| on)|\breserv/iu, 'Book your place'],
  [/\border\b/iu, 'Order yours'],
  [/\bdonat/iu, 'Donate'],
  [/\b(?:visit|open daily|opening hours|café|cafe|bakery|restaurant|museum|shop|store)\b/iu, 'Come and visit'],
  [/\b(?:join|club|community)\b/iu, 'Join in'],
];

function callOf(text: string, { url }: CopyBrief, tone: Tone): string {
  const words = calls.find(([pattern]) => pattern.test(text))?.[1] ?? tone.call;
  return url === null ? `${words}${tone.end}` : `${words}: ${url}`;
}

function finish(line: string, wishes: Wishes): string {
  const calm = !wishes.exclamations || wishes.formal ? line.replaceAll('!', '.') : line;
  return wishes.spelling ? respell(calm, wishes.spelling) : calm;
}
