/** Summarizes a text in any language with its best sentences: ranks them by recurring words, numbers and position. */
import { cutAt, trimmedEnd } from './budget.ts';
import { isCommon } from './language.ts';
import { joined, listed, passages } from './sentences.ts';
import type { Wishes } from './wishes.ts';

const byWord = new Intl.Segmenter('en', { granularity: 'word' });
const particle = /^(?:[\p{Script=Hiragana}ー]{1,3}|[的是了在和有不这我他们也就都而及与])$/u;
/** Marks of a sentence that tells little by itself: it refers to an earlier one or asks a question. */
const leaning = /^(?:This|That|These|It|He|She|They|But|And|So|However|Dies|Das|Er|Sie|Es)\b|[?？]$/u;

const wordsIn = (text: string): string[] =>
  [...byWord.segment(text)].filter(({ isWordLike }) => isWordLike).map(({ segment }) => segment);

/** Returns the words that tell the subject. Long words with the same start count as one: "bakery", "bakeries". */
const telling = (sentence: string): Set<string> =>
  new Set(
    wordsIn(sentence.toLowerCase())
      .filter((word) => !isCommon(word) && !particle.test(word))
      .map((word) => (/^\p{Script=Latin}{6,}$/u.test(word) ? word.slice(0, 5) : word)),
  );

/** Returns the indices of the sentences, best first; sentences that repeat an earlier one come last. */
export function ranked(sentences: readonly string[]): number[] {
  const bags = sentences.map(telling);
  const frequency = new Map<string, number>();
  for (const bag of bags) for (const word of bag) frequency.set(word, (frequency.get(word) ?? 0) + 1);
  const scores = bags.map((bag, i) => {
    const sentence = sentences[i] ?? '';
    const weight = [...bag].reduce((sum, word) => sum + Math.log(1 + (frequency.get(word) ?? 0)), 0);
    const place = i === 0 ? 1.7 : leaning.test(sentence) ? 0.8 : 1;
    return (weight / Math.sqrt(bag.size + 4)) * place * (/\p{N}/u.test(sentence) ? 1.12 : 1);
  });
  const order = [...scores.keys()].sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b);
  const seen = new Set<string>();
  const repeats = new Set<number>();
  for (const i of order) {
    const bag = [...(bags[i] ?? [])];
    if (bag.length > 0 && bag.filter((word) => seen.has(word)).length > bag.length * 0.8) repeats.add(i);
    for (const word of bag) seen.add(word);
  }
  return [...order.filter((i) => !repeats.has(i)), ...repeats];
}

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
