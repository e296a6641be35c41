/** Converts British spelling to American and back. */
import words from './spelling.json' with { type: 'json' };

type Pair = readonly [british: string, american: string];

const pairs = (stems: string, british: string, american: string): Pair[] =>
  stems.split(' ').map((stem) => [stem + british, stem + american]);

/** Pairs of stems, and the ends that follow them. */
const sets: readonly (readonly [readonly Pair[], ends: string])[] = [
  [
    pairs(words.our, 'our', 'or'),
    '(?:s|ed|ing|er|ers|ful|fully|less|able|ably|hood|hoods|ly|ite|ites|y|ies|al|ally|ist|ists)?',
  ],
  [pairs(words.ise, 'is', 'iz'), '(?:e|es|ed|er|ers|ing|ation|ations|able)'],
  [pairs(words.doubled, 'l', ''), '(?:ed|ing|er|ers|or|ors)'],
  [Object.entries<string>(words.whole), ''],
];
/** The American form has other meanings, so it is not converted back. */
const oneWay = new Set(words.oneWay.split(' '));

const respelling = (from: 0 | 1): ((text: string) => string)[] =>
  sets.map(([all, ends]) => {
    const forms = new Map(
      all.filter(([british]) => from === 0 || !oneWay.has(british)).map((pair) => [pair[from], pair[1 - from]!]),
    );
    const pattern = new RegExp(`(?<!\\p{L})(${[...forms.keys()].join('|')})(${ends})(?!\\p{L})`, 'giu');
    return (text) =>
      text.replaceAll(pattern, (_, stem: string, end: string) => {
        const form = forms.get(stem.toLowerCase()) ?? stem;
        return (/^\p{Lu}/u.test(stem) ? form.charAt(0).toUpperCase() + form.slice(1) : form) + end;
      });
  });

const steps = { american: respelling(0), british: respelling(1) };

/** Returns a text in one of the two spellings. */
export const respell = (text: string, spelling: 'british' | 'american'): string =>
  steps[spelling].reduce((out, step) => step(out), text);
