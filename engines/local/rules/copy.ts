/** Writes copy from the facts of a brief: a headline, a few sentences and a call to action. Adds no facts. */
import { wordPattern } from '../language/phrases.ts';
import { readBrief, type CopyBrief } from './brief.ts';
import vocabulary from './copy.json' with { type: 'json' };
import { speaksEnglish } from './language.ts';
import { capital } from './phrasebook.ts';
import { reword } from './rewrite.ts';
import { listed } from './sentences.ts';
import { respell } from './spelling.ts';
import { ranked } from './summarize.ts';
import { cannot, type Wishes } from './wishes.ts';

export interface Copy {
  headline: string;
  body: string;
  callToAction: string;
}

/** The stock sentences of a tone. None of them states a fact. */
type Tone = (typeof vocabulary.tones)[keyof typeof vocabulary.tones];

/** @throws EngineError for briefs that are not in English */
export function copy(text: string, wishes: Wishes): Copy {
  if (!speaksEnglish(text)) throw cannot('write copy in languages other than English');
  const brief = readBrief(text);
  const tones = vocabulary.tones;
  const tone = tones[(['playful', 'formal', 'friendly', 'simple'] as const).find((name) => wishes[name]) ?? 'plain'];
  const finished = (line: string): string => {
    const calm = !wishes.exclamations || wishes.formal ? line.replaceAll('!', '.') : line;
    return wishes.spelling ? respell(calm, wishes.spelling) : calm;
  };
  const emoji = wishes.emoji === 'with' ? `${tone.emoji} ` : '';
  return {
    headline: finished(emoji + headlineOf(brief, tone)),
    body: finished(bodyOf(brief, tone, wishes)),
    callToAction: finished(callOf(text, brief, tone)),
  };
}

/** Returns the parts that the instructions do not forbid, as one text. */
export function copyText({ headline, body, callToAction }: Copy, wishes: Wishes): string {
  const parts = [wishes.headline ? headline : '', body, wishes.callToAction ? callToAction : ''];
  return parts.filter((part) => part !== '').join('\n\n');
}

/** A headline names the subject without "our". */
function headlineOf({ subject, where, features, whole }: CopyBrief, tone: Tone): string {
  const feature = features.find((one) => one.length <= 36 && (!whole || /^(?:an?|the)\s/iu.test(one)));
  const name = subject.replace(/^(?:our|my|your|the)\s+/iu, '');
  const full = where !== null && /^(?:at|in|on|from)\s/iu.test(where) ? `${name} ${where}` : name;
  if (feature !== undefined)
    return capital(tone.headline.replace('{name}', () => name).replace('{feature}', () => feature));
  return capital(whole ? full : tone.title.replace('{name}', () => full));
}

/** Joins the items of a series: "a, b and c". */
export function series(items: readonly string[]): string {
  const mark = items.some((item) => item.includes(',')) ? ';' : ',';
  const last = items.length > 1 ? `${mark === ';' && items.length > 2 ? ';' : ''} and ${items.at(-1) ?? ''}` : '';
  return items.slice(0, Math.max(1, items.length - 1)).join(`${mark} `) + last;
}

function bodyOf(
  { subject, where, features, audience, statements, whole }: CopyBrief,
  tone: Tone,
  wishes: Wishes,
): string {
  const most = wishes.sentences ?? (wishes.length === 'shorter' ? 1 : 3);
  const reworded = (lines: readonly string[]): string[] =>
    lines.flatMap((line) => reword(line, { ...wishes, length: null }));
  if (wishes.list !== null) {
    const items =
      features.length > 0
        ? features
        : statements.length > 0
          ? statements
          : [where === null ? subject : `${subject} ${where}`];
    return listed(items.slice(0, wishes.sentences ?? 8).map(capital), wishes.list);
  }
  if (whole) {
    const best = ranked(statements).slice(0, most);
    return reworded(statements.filter((_, i) => best.includes(i))).join(' ');
  }
  const isName = /^(?:\p{Lu}|(?:our|my|your|the|all|some|\p{N}+) )/u.test(subject);
  const name = isName ? subject.replace(/^(?:Our|My|Your|The)(?=\s)/u, (word) => word.toLowerCase()) : `the ${subject}`;
  const greeting = tone.greeting.replace('{name}', () => (where === null ? name : `${name} ${where}`));
  const main = features.slice(0, 5);
  const more = features.slice(5);
  // Facts come before the closing line.
  return [
    `${greeting}${main.length > 0 ? `: ${series(main)}` : ''}.`,
    ...reworded(statements),
    ...(more.length > 0 ? [`${tone.more}: ${series(more)}.`] : []),
    ...(audience === null ? [] : [tone.audience.replace('{people}', () => audience)]),
    tone.closing,
  ]
    .slice(0, most)
    .join(' ');
}

/** Calls to action for the words that a brief uses. */
const calls = Object.entries(vocabulary.calls).map(
  ([call, words]) => [call, new RegExp(wordPattern(words), 'iu')] as const,
);

function callOf(text: string, { url }: CopyBrief, tone: Tone): string {
  const call = calls.find(([, pattern]) => pattern.test(text))?.[0] ?? tone.call;
  return url === null ? `${call}${tone.end}` : `${call}: ${url}`;
}
