/** Summarizes a text in any language with its own sentences, in their order. */
import { cutAt } from './budget.ts';
import { ranked, wordsIn } from './ranking.ts';
import { joined, passages } from './sentences.ts';
import { readWishes, type Wishes } from './wishes.ts';

export interface Summary {
  text: string;
  sentences: string[];
}

export function summarize(text: string, instructions: string | null): Summary {
  const wishes = readWishes(instructions);
  const chosen = choose(text, wishes);
  return { text: listed(chosen, wishes), sentences: chosen };
}

/** Shortens a text to the requested length. */
export function digest(text: string, wishes: Wishes): string {
  return listed(choose(text, wishes), wishes);
}

function listed(sentences: readonly string[], { list }: Wishes): string {
  if (list === null) return joined(sentences);
  const marker = (i: number): string => (list === 'numbers' ? `${i + 1}. ` : '- ');
  return sentences.map((sentence, i) => marker(i) + sentence.replace(/(?<!\.)[.。]$/u, '')).join('\n');
}

function choose(text: string, wishes: Wishes): string[] {
  const all = passages(text).flatMap((passage) => passage.sentences);
  // Headings are left out, unless there is nothing else.
  const whole = all.filter((sentence) => /[.!?。！？…]["”’»」)]*$/u.test(sentence));
  const from = whole.length >= 2 ? whole : all;
  const { words, characters } = wishes;
  const usual = wishes.length === 'shorter' ? 2 : wishes.length === 'longer' ? 8 : 5;
  const share = wishes.length === 'longer' ? 0.5 : 0.34;
  const limited = words !== null || characters !== null;
  const third = Math.min(usual, Math.max(wishes.list ? 3 : 1, Math.round(from.length * share)));
  const count = wishes.sentences ?? (limited ? from.length : third);
  const lengthOf = (sentence: string): number => (words === null ? [...sentence].length : wordsIn(sentence).length);
  const most = words ?? characters ?? Infinity;
  const taken: number[] = [];
  let length = 0;
  for (const i of ranked(from)) {
    const next = lengthOf(from[i] ?? '') + (words === null && taken.length > 0 ? 1 : 0);
    if (taken.length >= count || length + next > most) continue;
    taken.push(i);
    length += next;
  }
  if (taken.length > 0) return taken.sort((a, b) => a - b).map((i) => from[i] ?? '');
  const first = from[ranked(from)[0] ?? 0] ?? text.trim();
  return [first === '' ? text.trim() : clipped(first, words, most)];
}

/** Returns the start of a sentence that is too long. */
function clipped(sentence: string, words: number | null, most: number): string {
  if (words === null)
    return `${cutAt(sentence, Math.max(1, most - 1)).replace(/(?<![\s.,;:、，])[\s.,;:、，]+$/u, '')}…`;
  let end = 0;
  for (const word of wordsIn(sentence).slice(0, most)) end = sentence.indexOf(word, end) + word.length;
  const head = sentence.slice(0, end);
  const clause = head.replace(/[,;:–—、，][^,;:–—、，]*$/u, '');
  return `${clause.length * 2 > head.length ? clause : head}…`;
}
