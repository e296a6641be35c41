/** Copy by rule: headline, sentences, call to action, and no fact that the brief does not have. */
import { expect, test } from '@jest/globals';
import { ask, refusal, wordsOf } from './rules-writing.ts';

const briefs: [brief: string, headline: string, facts: string[]][] = [
  [
    'Write a product description for our new wireless headphones: 40-hour battery, noise cancelling, foldable, for commuters.',
    'New wireless headphones: 40-hour battery',
    ['40-hour battery', 'noise cancelling', 'foldable', 'commuters'],
  ],
  [
    'A bamboo toothbrush with soft bristles, compostable handle and plastic-free packaging for families',
    'Bamboo toothbrush: soft bristles',
    ['soft bristles', 'compostable handle', 'plastic-free packaging', 'families'],
  ],
  [
    'Our bakery in Lisbon bakes sourdough bread every night. We open at 7 in the morning. All the flour comes from a small mill. Visit www.paodasete.pt.',
    'Bakery in Lisbon',
    ['sourdough', '7', 'small mill', 'www.paodasete.pt'],
  ],
  [
    'Write an Instagram post about the Harvest Festival at Green Farm on 14 October: live music, pumpkin carving, hot cider. Tickets cost $12.',
    'Harvest Festival: live music',
    ['Green Farm', '14 October', 'pumpkin carving', 'hot cider', '$12'],
  ],
  [
    'a mountain bike that weighs 11.4 kg, has a carbon frame, hydraulic brakes, and 12 gears',
    'Mountain bike: a carbon frame',
    ['11.4 kg', 'hydraulic brakes', '12 gears'],
  ],
  [
    'Create ad copy for Leaf & Loam, an organic tea brand. Flavors: mint, hibiscus, ginger.',
    'Leaf & Loam: an organic tea brand',
    ['mint', 'hibiscus', 'ginger'],
  ],
  [
    'Aurora is a desk lamp. It has a dimmable LED and a wooden base.',
    'Aurora: a desk lamp',
    ['dimmable LED', 'wooden base'],
  ],
  ['Nimbus 3', 'Meet Nimbus 3', ['Nimbus 3']],
];
const tones = [null, 'formal', 'friendly', 'playful', 'simple'];

test.each(briefs)('%s', (brief, headline, facts) => {
  const [first, body, call] = ask('copy', brief).split('\n\n');
  expect(first).toBe(headline);
  for (const fact of facts) expect(`${body} ${call}`).toContain(fact);
  expect(call).toMatch(/[.:/]/);
});

/** The words in the stock sentences of the tones, none of which states a fact. */
const stock = new Set(
  wordsOf(
    "meet the take a closer look made with in mind there is more find out presenting we are pleased to present intended for further details be glad tell you would request information say hello had and that's not all come see yourself we'd love show have had wait hello drum roll psst this one go on peek get it yours order visit",
  ),
);

test.each(briefs)('adds no fact: %s', (brief) => {
  const given = new Set(wordsOf(brief));
  for (const tone of tones)
    for (const word of wordsOf(ask('copy', brief, tone)))
      expect(stock.has(word) || given.has(word) ? '' : word).toBe('');
});

test('writes differently in each tone', () => {
  const brief = briefs[0]![0];
  const all = tones.map((tone) => ask('copy', brief, tone));
  expect(new Set(all).size).toBe(tones.length);
  expect(ask('copy', brief, 'playful')).toContain('!');
  expect(ask('copy', brief, 'playful, no exclamation marks')).not.toContain('!');
  expect(ask('copy', brief, 'formal')).not.toContain('!');
  expect(ask('copy', brief, 'with emoji')).toMatch(/^\p{Extended_Pictographic}/u);
  expect(ask('copy', brief, 'without emoji')).not.toMatch(/\p{Extended_Pictographic}/u);
});

test('returns the requested parts and lengths', () => {
  const brief = briefs[0]![0];
  expect(ask('copy', brief, 'no headline').split('\n\n')).toHaveLength(2);
  expect(ask('copy', brief, 'no headline, no call to action').split('\n\n')).toHaveLength(1);
  expect(ask('copy', brief, 'short').length).toBeLessThan(ask('copy', brief).length);
  expect(ask('copy', brief, 'bullet points')).toContain('\n- 40-hour battery\n- Noise cancelling\n- Foldable\n');
  expect(ask('copy', 'An app to download: tracks taxes')).toContain('Get the app');
});

test('rejects a brief that is not in English', () => {
  const { code, publicMessage } = refusal(() => ask('copy', 'Schreibe einen Text für unsere neuen Schuhe'));
  expect(code).toBe('input_invalid');
  expect(publicMessage).toContain('configure a language model');
});
