/** The rules leave out what instructions forbid, and do what the same instructions want. */
import { expect, test } from '@jest/globals';
import { readWishes, type Wishes } from '../rules/wishes.ts';
import { refusal } from './rules-writing.ts';

const none = readWishes(null);

test.each<[instructions: string, wishes: Partial<Wishes>]>([
  ['no bullet points', {}],
  ['without bullets', {}],
  ['without a bullet point', {}],
  ['do not use a list', {}],
  ['keine Stichpunkte', {}],
  ['no more than three bullet points', { list: 'bullets', sentences: 3 }],
  ['no bullets, use a numbered list', { list: 'numbers' }],
  ['no bullets, lists or emojis', { emoji: 'without' }],
  ['no emojis, bullet points', { emoji: 'without', list: 'bullets' }],
  ['please do not write a list, just two sentences', { sentences: 2 }],
  ['no longer than 20 words', { words: 20 }],
  ['it should not be longer than 20 words', { words: 20 }],
  ['do not use over 20 words', { words: 20 }],
  ['longer', { length: 'longer' }],
  ['I don’t want you to make it longer', {}],
  ['do not make it shorter', {}],
  ['don’t change the facts and make it shorter', { length: 'shorter' }],
  ['not short enough', { length: 'shorter' }],
  ['don’t be formal', { friendly: true }],
  ["Don't be playful. Be formal.", { formal: true }],
  ['less formal', { friendly: true }],
  ['too formal', { friendly: true }],
  ['not formal enough', { formal: true }],
  ['write in formal English', { formal: true }],
  ['not formal, friendly', { friendly: true }],
  ['no emojis and more formal', { emoji: 'without', formal: true }],
  ['no-nonsense, professional', { formal: true }],
  ['not playful', {}],
  ['do not simplify', {}],
  ['not only shorter but friendlier', { length: 'shorter', friendly: true }],
  ['American, not British', { spelling: 'american' }],
  ["don't use emojis", { emoji: 'without' }],
  ["don't use contractions", { contractions: 'expand' }],
  ['use contractions', { contractions: 'contract' }],
  ['never use exclamation marks', { exclamations: false }],
  ['without a title, no call to action', { headline: false, callToAction: false }],
  ['do not translate names, shorter', { length: 'shorter' }],
  ['do not use bullets, lists or emojis', { emoji: 'without' }],
  ['use fewer exclamation marks', { exclamations: false }],
  ['expand contractions', { contractions: 'expand' }],
])('%s', (instructions, wishes) => {
  expect(readWishes(instructions)).toEqual({ ...none, ...wishes });
});

test.each([
  ['at least 50 words', /minimum length/],
  ['longer than 20 words', /minimum length/],
  ["into 'German'", /cannot translate/],
  ['write a poem', /cannot write verse/],
  ['avoid the passive voice', /cannot change person/],
])('rejects "%s"', (instructions, message) => {
  expect(refusal(() => readWishes(instructions)).publicMessage).toMatch(message);
});
