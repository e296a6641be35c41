/** Which nouns segmentation understands. */
import { expect, test } from '@jest/globals';
import { knownNoun, nouns, understood } from '../cutout/vocabulary.ts';
import objectClasses from '../vision/classes.json' with { type: 'json' };

test.each([
  ['puppy', 'dog'],
  ['The bikes', 'bicycle'],
  ['a mug', 'cup'],
  ['sofa', 'couch'],
  ['all people', 'person'],
  ['women', 'person'],
  ['buses', 'bus'],
  ['puppies', 'dog'],
  ['knives', 'knife'],
  ['computer mice', 'mouse'],
  ['traffic-lights', 'traffic light'],
  ['Cell phone!', 'cell phone'],
])('%s means %s', (noun, label) => {
  expect(understood(noun)?.meaning).toEqual({ kind: 'objects', labels: [label] });
});

test.each([
  ['the background', 'background'],
  ['main subject', 'subject'],
  ['faces', 'face'],
  ['her head', 'head'],
])('%s means the %s', (noun, kind) => {
  expect(understood(noun)?.meaning).toEqual({ kind });
});

test('a group means all of its kind', () => {
  const { meaning } = understood('animals')!;
  expect(meaning).toMatchObject({ labels: expect.arrayContaining(['cat', 'dog', 'zebra']) });
});

test.each(['unicorn', 'the', '', 'happiness', 'cat on a mat'])('%j is not understood', (noun) => {
  expect(knownNoun(noun)).toBe(false);
});

test('understands every listed noun, as classes that the detector knows', () => {
  for (const noun of nouns) {
    const { meaning } = understood(noun)!;
    if (meaning.kind === 'objects') expect(objectClasses).toEqual(expect.arrayContaining([...meaning.labels]));
  }
});

test.each(['bus', 'buses', 'scissors', 'people', 'a wine glass'])('understands %s', (noun) => {
  expect(knownNoun(noun)).toBe(true);
});
