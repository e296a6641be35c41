/** Seamless pictures really tile: a seam is no rougher than what lies beside it. */
import { afterAll, expect, test } from '@jest/globals';
import { createLocalEngine } from '../../../engines/local/index.ts';
import { picture, pixels, type Pixels } from './ask.ts';

const engine = createLocalEngine({ threads: 2 });
afterAll(() => engine.close());

/** Mean difference of two neighbouring columns (or rows). */
function step(p: Pixels, a: number, b: number, across: boolean): number {
  const length = across ? p.height : p.width;
  let sum = 0;
  for (let k = 0; k < length; k++)
    for (let c = 0; c < p.channels; c++) {
      const at = (line: number): number =>
        p.data[((across ? k : line) * p.width + (across ? line : k)) * p.channels + c]!;
      sum += Math.abs(at(a) - at(b));
    }
  return sum / (length * p.channels);
}

function roughness(p: Pixels, across: boolean): { seam: number; ordinary: number } {
  const size = across ? p.width : p.height;
  let sum = 0;
  for (let i = 0; i + 1 < size; i++) sum += step(p, i, i + 1, across);
  return { seam: step(p, size - 1, 0, across), ordinary: sum / (size - 1) };
}

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
    for (const across of [true, false]) {
      const { seam, ordinary } = roughness(p, across);
      expect(seam).toBeLessThan(ordinary * 1.5 + 0.5);
    }
  },
);

test('an enlarged one meets at its edges too', async () => {
  const p = await pixels(
    await picture(engine, { style: 'infiny-flow', width: 2048, height: 1024, prompt: 'koi', seamless: true }),
  );
  for (const across of [true, false]) {
    const { seam, ordinary } = roughness(p, across);
    expect(seam).toBeLessThan(ordinary * 1.5 + 0.5);
  }
});

test('seamless without a seamless style tiles too', async () => {
  const p = await pixels(await picture(engine, { seamless: true, prompt: 'cherries' }));
  const { seam, ordinary } = roughness(p, true);
  expect(seam).toBeLessThan(ordinary * 1.5 + 0.5);
});

test('an ordinary picture does not', async () => {
  const p = await pixels(await picture(engine, { prompt: 'mountains at sunset' }));
  const { seam, ordinary } = roughness(p, false);
  expect(seam).toBeGreaterThan(ordinary * 3);
});
