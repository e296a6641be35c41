/** The nouns that a request can use, and their meanings. */
import { phrasesOf } from '../language/phrases.ts';
import objectClasses from '../vision/classes.json' with { type: 'json' };
import vocabulary from './vocabulary.json' with { type: 'json' };

/** The meaning of a noun: objects of detector classes, or a part that another method finds. */
export type Meaning =
  { kind: 'objects'; labels: readonly string[] } | { kind: 'face' | 'head' | 'subject' | 'background' };

/** Words for several of the detector's classes. */
const groups = Object.entries(vocabulary.groups).map(([word, labels]) => [word, labels.split(', ')] as const);

const meanings = new Map<string, Meaning>();
for (const label of objectClasses) meanings.set(label, { kind: 'objects', labels: [label] });
for (const [word, label] of phrasesOf(vocabulary.synonyms)) meanings.set(word, { kind: 'objects', labels: [label] });
for (const [word, labels] of groups) meanings.set(word, { kind: 'objects', labels });
for (const [word, kind] of phrasesOf(vocabulary.parts)) meanings.set(word, { kind });

/** The nouns that error messages list. */
export const nouns: readonly string[] = [
  ...Object.keys(vocabulary.parts),
  ...groups.map(([word]) => word),
  ...objectClasses,
];

export interface Understood {
  meaning: Meaning;
}

/** Returns null for an unknown noun. */
export function understood(noun: string): Understood | null {
  const words = noun
    .toLowerCase()
    .replace(/[^\p{L}\s-]/gu, ' ')
    .replace(/[\s-]+/g, ' ')
    .trim()
    .replace(/^(?:(?:all|both|each|every|of|the|a|an|my|his|her|their|our|your|this|that|these|those) )+/, '');
  for (const singular of singulars(words)) {
    const meaning = meanings.get(singular);
    if (meaning) return { meaning };
  }
  return null;
}

export function knownNoun(noun: string): boolean {
  return understood(noun) !== null;
}

function singulars(words: string): string[] {
  return [
    words,
    words.replace(/s$/, ''),
    words.replace(/es$/, ''),
    words.replace(/ies$/, 'y'),
    words.replace(/\bknives$/, 'knife'),
    words.replace(/\bcalves$/, 'calf'),
    words.replace(/\bmice$/, 'mouse'),
  ];
}
