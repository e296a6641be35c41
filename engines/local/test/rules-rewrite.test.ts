/** Rewriting by rule: the same facts in other words, as instructed; rejects languages other than English. */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ask, refusal, wordsOf } from './rules-writing.ts';

const bakery =
  'We opened our bakery in Berlin in 2019. It is very popular, and we bake 300 loaves every day. In order to keep the quality high, we only use organic flour! Customers often tell us that our bread is really good.';
const letter =
  'Dear Mr. Smith, I wanted to inform you that the shipment, which was due on 3 May 2024, has been delayed due to the fact that the harbour was closed. We utilise a different carrier at this point in time. Please do not hesitate to contact us at help@example.com or https://example.com/track?id=42.';
const excuse =
  "I'm sorry, but I can't come because my train was cancelled. Don't you want to talk on Thursday? Thanks!";

test.each<[text: string, instructions: string | null, rewritten: string]>([
  [
    bakery,
    null,
    'We opened our bakery in Berlin in 2019. It is popular, and we bake 300 loaves each day. To keep the quality high, we only use organic flour! Customers frequently let us know that our bread is excellent.',
  ],
  [
    bakery,
    'more formal, please',
    'We opened our bakery in Berlin in 2019. It is popular, and we bake 300 loaves every day. To keep the quality high, we only use organic flour. Customers frequently inform us that our bread is excellent.',
  ],
  [
    letter,
    'shorter',
    'Dear Mr. Smith, the shipment, which was due on 3 May 2024, has been delayed because the harbour was closed. We use another carrier now. Please contact us at help@example.com or https://example.com/track?id=42.',
  ],
  [
    letter,
    'friendly',
    'Dear Mr. Smith, I wanted to tell you that the shipment, which was due on 3 May 2024, has been delayed because the harbour was closed. We use a different carrier now. Please feel free to get in touch at help@example.com or https://example.com/track?id=42.',
  ],
  [
    excuse,
    'formal',
    "I am sorry, but I cannot come because my train was cancelled. Don't you wish to talk on Thursday? Thank you.",
  ],
  [
    'The color of the theater was gray. She organized the laboratory tour and traveled home.',
    'British spelling',
    'The colour of the theatre was grey. She organised the laboratory tour and travelled home.',
  ],
  [
    'The neighbours analysed my favourite catalogue.',
    'American spelling',
    'The neighbors analyzed my favorite catalog.',
  ],
  [
    'Great news! We won! She shouted "Yes!" twice.',
    'no exclamation marks',
    'Excellent news. We won. She shouted "Yes!" twice.',
  ],
  ['If it rains tomorrow, we will stay at home.', null, "If it rains tomorrow, we'll stay at home."],
  [
    'Many people use the app . It is an important tool , really.',
    null,
    'Many people use the app. It is an important tool.',
  ],
  [
    'You can share receipts with your accountant, but you need to sign up first so that we can verify your identity and keep your data safe.',
    'simpler',
    'You can share receipts with your accountant. However, you need to sign up first so that we can verify your identity and keep your data safe.',
  ],
  ['The quick brown fox jumps over the lazy dog.', null, 'The quick brown fox jumps over the lazy dog.'],
  ['Please often save your work.', 'simple', 'Please often save your work.'],
  ['First we mix. Then we bake.', 'as bullet points', '- First we mix\n- Then we bake'],
  [
    'Der Hund schläft nicht auf dem Sofa. Er ist müde!',
    'bullet points',
    '- Der Hund schläft nicht auf dem Sofa\n- Er ist müde!',
  ],
  ['hello', null, 'Hello'],
  ['Hi', null, 'Hi'],
])('%s (%s)', (text, instructions, rewritten) => {
  expect(ask('rewrite', text, instructions)).toBe(rewritten);
});

test('keeps words that carry meaning', () => {
  for (const kept of [
    'not very good',
    'thank you very much',
    'not really important',
    'not only',
    'the very best',
    'as soon as',
    'a great deal',
  ]) {
    const out = ask('rewrite', `The result is ${kept} of all things that we know. It was bought in a shop.`);
    expect(out.toLowerCase().replace('good deal', 'great deal')).toContain(kept);
  }
});

test('keeps to the requested length', () => {
  expect(ask('rewrite', bakery, 'in one sentence').match(/[.!]/g)).toHaveLength(1);
  expect(wordsOf(ask('rewrite', bakery, 'in 20 words')).length).toBeLessThanOrEqual(20);
  expect(ask('rewrite', bakery, 'shorter').length).toBeLessThan(bakery.length - 15);
  expect(ask('rewrite', bakery, 'longer').length).toBeGreaterThan(bakery.length);
  expect(ask('rewrite', bakery, 'two bullet points').split('\n')).toHaveLength(2);
});

test('keeps paragraphs and lists', () => {
  const out = ask('rewrite', 'Our menu\n\n- We often bake bread\n- We also make cakes\n\nCome and see us.');
  expect(out).toBe('Our menu\n\n- We frequently bake bread\n- We also make cakes\n\nCome and see us.');
});

test.each([
  ['Der Hund schläft auf dem Sofa und träumt.', null, /languages other than English/],
  ['東京の新しい図書館が四月に開館した。', 'formal', /languages other than English/],
  [bakery, 'in German', /cannot translate/],
  [bakery, 'as a haiku', /cannot write verse/],
  [bakery, 'in the third person', /cannot change person/],
])('rejects "%s" (%s)', (text, instructions, message) => {
  const { code, publicMessage } = refusal(() => ask('rewrite', text, instructions));
  expect(code).toBe('input_invalid');
  expect(publicMessage).toMatch(message);
  expect(publicMessage).toContain('configure a language model');
});

const name = fc.constantFrom(
  'Anna',
  'Big Ben',
  'Dr. Lee',
  'São Paulo',
  'iPhone',
  'NASA',
  'Jean-Luc',
  "O'Neill",
  'Übermut',
);
const number = fc.oneof(
  fc.integer({ min: 0, max: 99_999 }).map(String),
  fc.constantFrom('3.5', '12,000', '$19.99', '50%', '2024-05-03', '10:30', '4K', '1st', '40-hour', '−7°C'),
);
const quote = fc.constantFrom('"very good. Really!"', '“in order to buy”', '«très bien»');
const address = fc.constantFrom(
  'https://a.example/b?very=1&c=often',
  'www.big.example/really',
  'help@often.example',
  '@maybe',
  '#perhaps',
);
const fact = fc.oneof(name, number, quote, address);
const sentence = fc
  .tuple(
    fc.constantFrom(
      'We often visit',
      'They bought',
      'If you need',
      'Because of',
      'In order to find',
      'it is really',
      'The very big',
      "I can't see",
    ),
    fact,
    fc.constantFrom(
      'and the big house because it is very nice',
      'in',
      'over',
      ', but we think that it is great with',
      'with',
      '(maybe)',
      'when the rain began in',
    ),
    fact,
    fc.constantFrom('.', '!', '?', '!!', ' .', ''),
  )
  .map(([a, b, c, d, e]) => ({ text: `${a} ${b} ${c} ${d}${e}`, facts: [b, d] }));
const instruction = fc.constantFrom(
  null,
  'shorter',
  'longer',
  'formal',
  'friendly',
  'playful',
  'simple',
  'no exclamation marks',
  'bullet points',
  'no contractions',
);

test('keeps every name, number, quote and address', () => {
  fc.assert(
    fc.property(fc.array(sentence, { minLength: 1, maxLength: 5 }), instruction, (sentences, instructions) => {
      const text = sentences.map((s) => s.text).join(' ');
      const out = ask('rewrite', text, instructions);
      for (const { facts } of sentences) for (const kept of facts) expect(out).toContain(kept);
      expect(ask('rewrite', text, instructions)).toBe(out);
    }),
    { numRuns: 400 },
  );
});
