/** Ranks the sentences of a text in any language: by recurring words, numbers and position. */
import { isCommon } from './language.ts';

const byWord = new Intl.Segmenter('en', { granularity: 'word' });
const particle = /^(?:[\p{Script=Hiragana}ー]{1,3}|[的是了在和有不这我他们也就都而及与])$/u;
/** Marks of a sentence that tells little by itself: it refers to an earlier one or asks a question. */
const leaning = /^(?:This|That|These|It|He|She|They|But|And|So|However|Dies|Das|Er|Sie|Es)\b|[?？]$/u;

export const wordsIn = (text: string): string[] =>
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
