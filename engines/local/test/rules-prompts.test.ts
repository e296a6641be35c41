/** Prompts and styles by rule: clearer prompts that do not grow, options that differ, words for what was measured. */
import { expect, test } from '@jest/globals';
import { Check } from 'typebox/value';
import fc from 'fast-check';
import { colourName } from '../rules/describe-style.ts';
import { type StyleMeasure, type StyleWords, styleWords } from '../../contract/index.ts';
import { refusal, wordsOf, write } from './rules-writing.ts';

const refine = (prompt: string, style: StyleWords | null = null): string =>
  write('refine-prompt', { prompt, style }).text;
const dna = { summary: 'Muted and warm.', keywords: ['muted colour', 'warm light', 'broad strokes'] };

test.each([
  [
    'watercolor, a red fox,,  in a forest , golden hour, fox , close-up',
    'a red fox, in a forest, golden hour, close-up, watercolor',
  ],
  [
    'a bowl of fruit, oil painting, window light, wide shot, on a table',
    'a bowl of fruit, on a table, window light, wide shot, oil painting',
  ],
  ['please draw me a picture of two sailboats at sunset, wide view', 'two sailboats at sunset, wide view'],
  [
    'neon city street, rainy, woman holding an umbrella, wide shot, cinematic',
    'neon city street, rainy, woman holding an umbrella, wide shot, cinematic',
  ],
  [
    'A knight stands on a hill, tired. He holds a banner. Soft light. Low angle.',
    'A knight stands on a hill, tired. He holds a banner. Soft light. Low angle.',
  ],
])('refines "%s"', (prompt, refined) => {
  expect(refine(prompt)).toBe(refined);
  expect(refine(prompt, dna)).toContain(refined.slice(0, 40));
  expect(refine(prompt, dna)).toMatch(/in a style of muted colour, warm light, broad strokes\.?$/i);
});

test('adds light and composition to a short prompt, once', () => {
  const out = refine('fox');
  expect(out).toMatch(/^fox, .*(?:light|daylight).*, /);
  expect(refine(out)).toBe(out);
});

const part = fc.constantFrom(
  'a red fox',
  'in a forest',
  'golden hour',
  'oil painting',
  'close-up',
  'wearing a hat',
  'two dogs',
  '',
  '富士山',
  'on a table',
  'warm light',
  'muted colour',
  'and a cat',
  '8k',
  'A man walks.',
  'He smiles!',
  'no text',
  '!!',
);

test('a refined prompt does not grow, keeps its words, and has at most 4000 code points', () => {
  fc.assert(
    fc.property(
      fc.array(part, { minLength: 1, maxLength: 9 }),
      fc.constantFrom(', ', ' ', '; ', '\n'),
      fc.boolean(),
      (parts, joint, styled) => {
        const prompt = parts.join(joint);
        fc.pre(prompt.trim() !== '');
        const style = styled ? dna : null;
        const once = refine(prompt, style);
        const twice = refine(once, style);
        expect(twice).toBe(once);
        for (const word of wordsOf(prompt)) expect(wordsOf(once)).toContain(word);
      },
    ),
    { numRuns: 300 },
  );
  for (const long of [
    'fox '.repeat(1000),
    'fox, '.repeat(900),
    'x'.repeat(4000),
    '🦊'.repeat(3999),
    'a red fox in a forest. '.repeat(180),
  ])
    expect([...refine(long, dna)].length).toBeLessThanOrEqual(4000);
});

interface Option {
  name: string;
  description: string;
  prompt: string;
}
const options = (prompt: string, count: number): Option[] =>
  (JSON.parse(write('style-options', { prompt, count }).text) as { options: Option[] }).options;

test.each([1, 2, 4, 8])('returns %i different options', (count) => {
  for (const prompt of ['a fox in a snowy forest', 'quarterly synergies', '富士山', 'fox '.repeat(1000).trim()]) {
    const made = options(prompt, count);
    expect(made).toHaveLength(count);
    for (const key of ['name', 'description', 'prompt'] as const)
      expect(new Set(made.map((option) => option[key])).size).toBe(count);
    for (const option of made) {
      expect(option.prompt.startsWith(prompt.slice(0, 3000))).toBe(true);
      expect([...option.prompt].length).toBeLessThanOrEqual(4000);
      expect(option.description.length).toBeLessThan(300);
    }
    expect(options(prompt, count)).toEqual(made);
  }
});

test('options suit what the prompt shows', () => {
  const names = (prompt: string): string[] => options(prompt, 3).map(({ name }) => name);
  expect(names('neon city in the rain at night')).toContain('Neon noir');
  expect(names('mount fuji above the sea')).toContain('Ukiyo-e');
  expect(names('watercolor of a robot')[0]).toBe('Watercolor');
  expect(options('a fox in a forest', 1)[0]!.description).toContain('the fox');
});

const measure = (
  colours: string[],
  [brightness, contrast, warmth, saturation, variety, grain, edges, scale]: number[],
): string =>
  JSON.stringify({
    palette: colours.map((colour, i) => ({ colour, share: 0.5 / (i + 1) })),
    light: { brightness: brightness!, contrast: contrast!, warmth: warmth! },
    colour: { saturation: saturation!, variety: variety! },
    texture: { grain: grain!, edges: edges!, scale: scale! },
  } satisfies StyleMeasure);
const describe = (measured: string, prompt: string | null = null): StyleWords =>
  JSON.parse(write('describe-style', { measured, prompt }).text) as StyleWords;

test('describes a measured style in words', () => {
  const night = describe(measure(['#1a2238', '#ff6a3d'], [0.15, 0.7, 0.2, 0.8, 0.6, 0.1, 0.7, 0.8]));
  expect(night.summary).toBe(
    'Midnight blue and coral under very dark, cool light and hard contrast, with vivid colour in several hues, smooth surfaces, hard outlines and broad strokes.',
  );
  expect(night.keywords).toEqual([
    'midnight blue',
    'coral',
    'cool light',
    'very dark',
    'hard contrast',
    'vivid colour',
    'smooth surfaces',
    'broad strokes',
  ]);
  const cottage = describe(
    measure(['#f5e8c7', '#c58a2b'], [0.75, 0.1, 0.8, 0.05, 0.1, 0.9, 0.1, 0.1]),
    'a cottage, watercolor on rough paper',
  );
  expect(cottage.summary).toMatch(
    /^Watercolor on rough paper: cream and ochre under high-key, warm light and flat contrast/,
  );
  expect(cottage.keywords).toContain('rough grain');
});

test('describes any measure and prompt in words that match the schema', () => {
  const unit = fc.double({ min: 0, max: 1, noNaN: true });
  const colour = fc.integer({ min: 0, max: 0xffffff }).map((n) => `#${n.toString(16).padStart(6, '0')}`);
  fc.assert(
    fc.property(
      fc.array(colour, { minLength: 1, maxLength: 8 }),
      fc.array(unit, { minLength: 8, maxLength: 8 }),
      fc.option(fc.string({ unit: 'grapheme', maxLength: 200 })),
      (colours, numbers, prompt) => {
        const words = describe(measure(colours, numbers), prompt);
        expect(Check(styleWords, words)).toBe(true);
        expect(words.keywords.length).toBeGreaterThanOrEqual(4);
        expect(words.keywords.length).toBeLessThanOrEqual(8);
        expect(words.summary.endsWith('.')).toBe(true);
      },
    ),
    { numRuns: 200 },
  );
  expect(Check(styleWords, describe('', 'cyberpunk noir'))).toBe(true);
  expect(refusal(() => describe('{}')).code).toBe('input_invalid');
});

test.each([
  ['#000000', 'black'],
  ['#fefefe', 'white'],
  ['#ff0000', 'red'],
  ['#00ff00', 'lime'],
  ['#0000ff', 'royal blue'],
  ['#808080', 'grey'],
  ['#ffc0cb', 'pink'],
  ['#8b4513', 'brown'],
  ['#40e0d0', 'turquoise'],
  ['#ffd700', 'yellow'],
  ['#228b22', 'green'],
  ['#4b0082', 'purple'],
])('names %s "%s"', (colour, name) => {
  expect(colourName(colour)).toBe(name);
});
