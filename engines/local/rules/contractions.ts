/** Turns "don't" into "do not" and back, where the grammar allows it. */

const person = 'I|you|he|she|it|we|they';
const thing = 'it|he|she|that|there|here|what|who';
const participle = 'been|had|made|seen|done|got|become|gone|taken|come';
/** "Don't you" in a question stays, because "Do not you" is wrong. */
const statement = `(?!\\s+(?:${person}|the|there|that|this)(?!\\p{L})|\\s*\\?)`;
const before = (words: string): string => `(?=\\s+(?:${words})(?!\\p{L}))`;

/** First words, their short end, their long end, and a condition for the text after them. */
const forms: readonly (readonly [words: string, short: string, long: string, after: string])[] = [
  ['do|does|did|is|are|was|were|have|has|had|could|would|should', "n't", ' not', statement],
  ['c', "an't", 'annot', statement],
  ['w', "on't", 'ill not', statement],
  ['I', "'m", ' am', ''],
  ['you|we|they', "'re", ' are', ''],
  ['I|you|we|they|who', "'ve", ' have', before(`${participle}|added|found|built|opened|never|always|already|just`)],
  [person, "'ll", ' will', ''],
  [person, "'d", ' would', before('like|love|prefer|rather|be|say|want|recommend|suggest|need|appreciate')],
  [person, "'d", ' had', before(`${participle}|better`)],
  [thing, "'s", ' has', before(participle)],
  [thing, "'s", ' is', '(?=\\s+[\\p{L}\\p{Co}])'],
];

const compiled = forms.map(([words, short, long, after]) => ({
  short,
  long,
  contracted: new RegExp(`(?<!\\p{L})(${words})${short.replace("'", "['’]")}(?!\\p{L})${after}`, 'giu'),
  // Nothing is contracted before punctuation ("That is what it is.") or after a question word.
  expanded: new RegExp(`(?<!\\p{L})(?<!(?:what|how|where|as) )(${words})${long}(?=\\s+[\\p{L}\\p{Co}])${after}`, 'giu'),
}));

/** Returns a text with its contractions written out. */
export const expand = (text: string): string =>
  compiled.reduce((out, { contracted, long }) => out.replaceAll(contracted, `$1${long}`), text);

/** Returns a text with contractions. */
export const contract = (text: string): string =>
  compiled.reduce((out, { expanded, short }) => out.replaceAll(expanded, `$1${short}`), text);
