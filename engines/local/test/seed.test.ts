/** The same parameters give the same bytes, in any thread and pool; another seed gives another composition. */
import { afterAll, expect, test } from '@jest/globals';
import { createLocalEngine } from '../index.ts';
import { outputFormats } from '../../contract/index.ts';
import { distance, picture, pixels } from './ask.ts';

const cases = [
  { model: 'selena', style: null, prompt: 'three sailboats at sunset' },
  { model: 'selena', style: 'infiny-flow', prompt: 'koi fish' },
  { model: 'quantum', style: 'low-poly', prompt: 'an astronaut on the moon' },
  { model: 'hamilton', style: 'pointillism', prompt: 'nothing known whatsoever' },
];

const [one, two] = [createLocalEngine({ threads: 1 }), createLocalEngine({ threads: 2 })];
afterAll(() => Promise.all([one.close(), two.close()]));

const small = { width: 160, height: 160 };

test.each(cases)('$model $style: two pools, equal bytes', async ({ model, style, prompt }) => {
  const [a, b, c] = await Promise.all(
    [one, two, two].map((engine) => picture(engine, { ...small, style, prompt }, model)),
  );
  expect(Buffer.compare(a!.bytes, b!.bytes)).toBe(0);
  expect(Buffer.compare(b!.bytes, c!.bytes)).toBe(0);
});

test.each(outputFormats)('%s: two pools, equal bytes', async (outputFormat) => {
  const [a, b] = await Promise.all([one, two].map((engine) => picture(engine, { ...small, outputFormat })));
  expect(Buffer.compare(a!.bytes, b!.bytes)).toBe(0);
  expect(a!.contentType).toBe(`image/${outputFormat}`);
  expect((await pixels(a!)).format).toBe(outputFormat);
});

test('another seed is another composition', async () => {
  for (const prompt of ['a red fox in a forest', 'epistemology', 'sea']) {
    const [a, b, c] = await Promise.all(
      [1, 2, 3].map(async (seed) => pixels(await picture(two, { ...small, prompt, seed }))),
    );
    expect(distance(a!, b!)).toBeGreaterThan(10);
    expect(distance(b!, c!)).toBeGreaterThan(10);
  }
});
