/** Rewrites a text: English sentence by sentence, other languages only in their layout. */
import { speaksEnglish } from './language.ts';
import { guard, restore } from './protect.ts';
import { ranked } from './ranking.ts';
import { cannot } from './refusals.ts';
import { emojis, reword, turned } from './reword.ts';
import { laidOut, passages, type Passage } from './sentences.ts';
import { digest } from './summarize.ts';
import { tidy } from './tidy.ts';
import { readWishes, type Wishes } from './wishes.ts';

export function rewrite(text: string, instructions: string | null): string {
  const wishes = readWishes(instructions);
  const english = speaksEnglish(text);
  if (!english && !shapes(wishes)) throw cannot('rewrite other languages than English');
  const source = passages(text);
  const said = english
    ? source.map((passage) => each(passage, (s) => reword(s, wishes)))
    : source.map((p) => each(p, (s) => [plain(s, wishes)]));
  let out = laidOut(shaped(shorter(said, source, wishes), wishes));
  if (out === text.trim() && english && wishes.length !== 'shorter' && wishes.spelling === null)
    out = laidOut(
      shaped(
        said.map((passage) => each(passage, (s) => [turned(s, wishes)])),
        wishes,
      ),
    );
  if (wishes.sentences !== null || wishes.words !== null || wishes.characters !== null) out = digest(out, wishes);
  return out === '' ? text.trim() : out;
}

const shapes = (wishes: Wishes): boolean =>
  wishes.list !== null ||
  wishes.sentences !== null ||
  wishes.words !== null ||
  wishes.characters !== null ||
  wishes.emoji === 'without' ||
  !wishes.exclamations;

const each = (passage: Passage, change: (sentence: string) => string[]): Passage => ({
  ...passage,
  sentences: passage.sentences.flatMap(change),
});

function plain(sentence: string, wishes: Wishes): string {
  const { text, spans } = guard(sentence);
  const calm = wishes.exclamations ? text : text.replaceAll('!', '.').replaceAll('！', '。');
  return restore(tidy(wishes.emoji === 'without' ? calm.replaceAll(emojis, '') : calm), spans);
}

/** Drops the least important sentences if fewer words were not enough, but none with a name, a number or a quote. */
function shorter(parts: Passage[], source: Passage[], wishes: Wishes): Passage[] {
  const all = parts.flatMap((part) => part.sentences);
  const wordy = laidOut(parts).length > laidOut(source).length * 0.9;
  const most = all.length >= 6 ? Math.floor(all.length / 4) : wordy && all.length >= 4 ? 1 : 0;
  if (wishes.length !== 'shorter' || most === 0) return parts;
  const least = ranked(all)
    .reverse()
    .filter((i) => i > 0 && isPlain(all[i] ?? ''));
  const gone = new Set(least.slice(0, most));
  let at = 0;
  return parts.map((part) => each(part, (sentence) => (gone.has(at++) ? [] : [sentence])));
}

/** First words that are no names; the guard cannot tell at the start of a sentence. */
const opening =
  /^(?:The|An?|We|They|It|This|That|These|Those|There|You|He|She|Our|Their|Its|Your|His|Her|My|In|On|At|For|With|But|And|So|If|When|While|Because|Some|Many|Most|All|Also|However)(?!\p{L})/u;

const isPlain = (sentence: string): boolean =>
  opening.test(sentence) && !sentence.endsWith('?') && guard(sentence).spans.length === 0;

function shaped(parts: Passage[], wishes: Wishes): Passage[] {
  if (wishes.list === null) return parts;
  const items = parts.flatMap((part) => part.sentences).map((sentence) => sentence.replace(/(?<!\.)[.。]$/u, ''));
  return items.map((sentence, i) => ({
    marker: wishes.list === 'numbers' ? `${i + 1}. ` : '- ',
    sentences: [sentence],
    apart: false,
  }));
}
