/** Summarizes a text in any language with its own sentences, in their order. */
import { cutAt, trimmedEnd } from './budget.ts';
import { ranked, wordsIn } from './ranking.ts';
import { joined, listed, passages } from './sentences.ts';
import type { Wishes } from './wishes.ts';

/** Returns the sentences that fit the wishes, also as one text. */
export function summarize(text: string, wishes: Wishes): { text: string; sentences: string[] } {
  const sentences = chosen(text, wishes);
  return { text: wishes.list === null ? joined(sentences) : listed(sentences, wishes.list), sentences };
}

function chosen(text: string, { sentences, words, characters, length, list }: Wishes): string[] {
  const all = passages(text).flatMap((passage) => passage.sentences);
  // Headings are left out, unless there is nothing else.
  const whole = all.filter((sentence) => /[.!?。！？…]["”’»」)]*$/u.test(sentence));
  const from = whole.length >= 2 ? whole : all;
  const [share, usual] = length === 'longer' ? [0.5, 8] : length === 'shorter' ? [0.34, 2] : [0.34, 5];
  const most = words ?? characters ?? Infinity;
  const count =
    sentences ??
    (most < Infinity ? Infinity : Math.min(usual, Math.max(list ? 3 : 1, Math.round(from.length * share))));
  const order = ranked(from);
  const taken: number[] = [];
  let sum = 0;
  for (const i of order) {
    const sentence = from[i] ?? '';
    const next = words === null ? [...sentence].length + (taken.length > 0 ? 1 : 0) : wordsIn(sentence).length;
    if (taken.length >= count || sum + next > most) continue;
    taken.push(i);
    sum += next;
  }
  if (taken.length > 0) return taken.sort((a, b) => a - b).map((i) => from[i] ?? '');
  const best = from[order[0] ?? 0] ?? text.trim();
  return [words === null ? `${trimmedEnd(cutAt(best, Math.max(1, most - 1)))}…` : firstWords(best, most)];
}

/** Returns the start of a sentence, up to a comma if that keeps half of the words. */
function firstWords(sentence: string, most: number): string {
  let end = 0;
  for (const word of wordsIn(sentence).slice(0, most)) end = sentence.indexOf(word, end) + word.length;
  const head = sentence.slice(0, end);
  const clause = head.replace(/[,;:–—、，][^,;:–—、，]*$/u, '');
  return `${clause.length * 2 > head.length ? clause : head}…`;
}
