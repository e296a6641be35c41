/** Ranks the sentences of a text in any language: by recurring words, numbers and position. */

const byWord = new Intl.Segmenter('en', { granularity: 'word' });

const common = new Set(
  (
    'the a an and or of to in is are was were be been it its this that these those for with on at by from as we you they he she i our your their his her not but if when because have has had will would can could do does did there which who what so than more also into about over after before all my me us them no only other some such very just up out may most ' +
    'der die das und ist sind war ein eine einen einem einer dem den des nicht mit auf für von im zu sich wir sie er es auch als an aus bei bis durch hat haben ihr ihre wird werden wurde dass oder aber wie noch nur vor zum zur über ' +
    'le la les et est un une du dans pour que qui sur avec pas ce il elle nous vous au aux par plus son sa ses ' +
    'el los las y en una con por para del se su como al lo más o fue'
  ).split(' '),
);
const grammar = /^(?:[\p{Script=Hiragana}ー]{1,3}|[的是了在和有不这我他们也就都而及与])$/u;

export function wordsIn(text: string): string[] {
  const found: string[] = [];
  for (const { segment, isWordLike } of byWord.segment(text)) if (isWordLike) found.push(segment);
  return found;
}

const telling = (words: readonly string[]): string[] =>
  words.map((word) => word.toLowerCase()).filter((word) => !common.has(word) && !grammar.test(word));

/** Long words with the same start count as one: "bakery", "bakeries". */
const stem = (word: string): string => (/^\p{Script=Latin}{6,}$/u.test(word) ? word.slice(0, 5) : word);

/** Returns the indices of the sentences, best first; sentences that repeat an earlier one come last. */
export function ranked(sentences: readonly string[]): number[] {
  const bags = sentences.map((sentence) => new Set(telling(wordsIn(sentence)).map(stem)));
  const frequency = new Map<string, number>();
  for (const bag of bags) for (const word of bag) frequency.set(word, (frequency.get(word) ?? 0) + 1);
  const scores = bags.map((bag, i) => {
    let weight = 0;
    for (const word of bag) weight += Math.log(1 + (frequency.get(word) ?? 0));
    const sentence = sentences[i] ?? '';
    const place = i === 0 ? 1.5 : i === sentences.length - 1 && sentences.length > 3 ? 1.1 : 1;
    const facts = /\p{N}/u.test(sentence) ? 1.12 : 1;
    const asked = /[?？]$/u.test(sentence) ? 0.5 : 1;
    const referring =
      i > 0 && /^(?:This|That|These|It|He|She|They|But|And|So|Dies|Das|Er|Sie|Es)\b/u.test(sentence) ? 0.85 : 1;
    return (weight / Math.sqrt(bag.size + 4)) * place * facts * asked * referring;
  });
  const order = [...scores.keys()].sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b);
  const seen = new Set<string>();
  const fresh: number[] = [];
  const again: number[] = [];
  for (const i of order) {
    const bag = bags[i] ?? new Set<string>();
    const known = [...bag].filter((word) => seen.has(word)).length;
    (bag.size > 0 && known > bag.size * 0.8 ? again : fresh).push(i);
    for (const word of bag) seen.add(word);
  }
  return [...fresh, ...again];
}
