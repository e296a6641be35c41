/** Turns "don't" into "do not" and back, if the grammar allows it. */
import { capital } from './phrasebook.ts';

const subject = 'I|you|he|she|it|we|they';
const irregular: Readonly<Record<string, string>> = {
  "can't": 'cannot',
  "won't": 'will not',
  "shan't": 'shall not',
  "ain't": "ain't",
};

const cased = (model: string, words: string): string => (/^\p{Lu}/u.test(model) ? capital(words) : words);

/** "Don't you" in a question stays, because "Do not you" is wrong. */
const negated = new RegExp(
  `(?<!\\p{L})((?:do|does|did|is|are|was|were|have|has|had|could|would|should|ca|wo|sha|must|need|ai)n['’]t)(?!\\p{L})(?!\\s+(?:${subject}|the|there|that|this)(?!\\p{L}))(?!\\s*\\?)`,
  'giu',
);

export function expand(text: string): string {
  return text
    .replaceAll(negated, (word: string) => {
      const plain = word.replace('’', "'").toLowerCase();
      return cased(word, irregular[plain] ?? plain.replace("n't", ' not'));
    })
    .replaceAll(/(?<!\p{L})(I)['’]m(?!\p{L})/gu, '$1 am')
    .replaceAll(/(?<!\p{L})(you|we|they)['’]re(?!\p{L})/giu, '$1 are')
    .replaceAll(/(?<!\p{L})(I|you|we|they|who)['’]ve(?!\p{L})/giu, '$1 have')
    .replaceAll(/(?<!\p{L})(I|you|he|she|it|we|they|that|there|who)['’]ll(?!\p{L})/giu, '$1 will')
    .replaceAll(
      /(?<!\p{L})(I|you|he|she|it|we|they)['’]d(?=\s+(?:like|love|prefer|rather|be|say|want|recommend|suggest|need|appreciate)(?!\p{L}))/giu,
      '$1 would',
    )
    .replaceAll(
      /(?<!\p{L})(I|you|he|she|it|we|they)['’]d(?=\s+(?:been|had|better|gone|seen|done)(?!\p{L}))/giu,
      '$1 had',
    )
    .replaceAll(/(?<!\p{L})(let)['’]s(?=\s+\p{L})/giu, '$1 us')
    .replaceAll(
      /(?<!\p{L})(it|he|she|that|there|here|what|who)['’]s(?=\s+(?:been|had|got|become|gone|taken|made|come)(?!\p{L}))/giu,
      '$1 has',
    )
    .replaceAll(/(?<!\p{L})(it|he|she|that|there|here|what|who)['’]s(?=\s+[\p{L}\p{Co}])/giu, '$1 is');
}

/** Contracts nothing before punctuation: "That is what it is." */
export function contract(text: string): string {
  return text
    .replaceAll(/(?<!\p{L})(do|does|did|is|are|was|were|have|has|had|could|would|should) not(?=\s+\p{L})/giu, "$1n't")
    .replaceAll(/(?<!\p{L})(c)an(?: ?)not(?=\s+\p{L})(?!\s+only)/giu, "$1an't")
    .replaceAll(/(?<!\p{L})(w)ill not(?=\s+\p{L})/giu, "$1on't")
    .replaceAll(/(?<!\p{L})I am(?=\s+\p{L})/gu, "I'm")
    .replaceAll(/(?<!\p{L})(you|we|they) are(?=\s+[\p{L}\p{Co}])/giu, "$1're")
    .replaceAll(
      /(?<!\p{L})(I|you|we|they) have(?=\s+(?:been|had|made|seen|done|added|found|built|opened|got|never|always|already|just)(?!\p{L}))/giu,
      "$1've",
    )
    .replaceAll(/(?<!\p{L})(I|you|he|she|it|we|they) will(?=\s+\p{L})/giu, "$1'll")
    .replaceAll(/(?<!\p{L})(?<!(?:what|how|where|as) )(it|that|he|she) is(?=\s+[\p{L}\p{Co}])/giu, "$1's")
    .replaceAll(/(?<!\p{L})(there) is(?=\s+[\p{L}\p{Co}])/giu, "$1's");
}
