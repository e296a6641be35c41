/** Seamless pictures really tile: a seam is no rougher than what lies beside it. */
import { afterAll, expect, test } from '@jest/globals';
import { createLocalEngine } from '../index.ts';
import { picture, pixels } from './ask.ts';
import { seams } from './variation-pixels.ts';

const engine = createLocalEngine({ threads: 2 });
afterAll(() => engine.close());

const sizes = [
  [320, 320],
  [456, 264],
  [264, 320],
] as const;
const styles = ['infiny-weave', 'infiny-pattern', 'infiny-flow'];

test.each(styles.flatMap((style) => sizes.map(([width, height]) => ({ style, width, height }))))(
  '$style $width×$height meets at its edges',
  async (given) => {
    const p = await pixels(
      await picture(engine, { ...given, seamless: true, prompt: 'teal koi fish and lotus', seed: 11 }),
    );
    for (const { seam, ordinary } of seams(p)) expect(seam).toBeLessThan(ordinary * 1.5 + 0.5);
  },
);

test('an enlarged one meets at its edges too', async () => {
  const p = await pixels(
    await picture(engine, { style: 'infiny-flow', width: 2048, height: 1024, prompt: 'koi', seamless: true }),
  );
  for (const { seam, ordinary } of seams(p)) expect(seam).toBeLessThan(ordinary * 1.5 + 0.5);
});

test('seamless without a seamless style tiles too', async () => {
  const p = await pixels(await picture(engine, { seamless: true, prompt: 'cherries' }));
  const { seam, ordinary } = seams(p)[0]!;
  expect(seam).toBeLessThan(ordinary * 1.5 + 0.5);
});

test('an ordinary picture does not', async () => {
  const p = await pixels(await picture(engine, { prompt: 'mountains at sunset' }));
  const { seam, ordinary } = seams(p)[1]!;
  expect(seam).toBeGreaterThan(ordinary * 3);
});
