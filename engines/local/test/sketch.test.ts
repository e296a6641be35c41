/** Drawn pictures: styles look different and are harmless, seamless pictures tile, and a seed repeats its picture. */
import { afterAll, describe, expect, test } from '@jest/globals';
import { createLocalEngine } from '../index.ts';
import { hamilton, outputFormats, quantum, selena } from '../../contract/index.ts';
import { distance, judge, judgeThreshold, picture, pixels, type Pixels } from './ask.ts';
import { inThread } from './in-thread.ts';
import { seams } from './variation-pixels.ts';

const engine = createLocalEngine({ threads: 1 });
const another = createLocalEngine({ threads: 1 });
afterAll(() => Promise.all([engine.close(), another.close()]));

const families = [selena, quantum, hamilton];

describe('styles', () => {
  const all = families.flatMap((f) =>
    [null, ...f.styles.map((s) => s.id)].map((style) => ({ model: f.family, style, name: `${f.family} ${style}` })),
  );
  const inStyle = (prompt: string) => async (name: string) => {
    const { model, style } = all.find((look) => look.name === name)!;
    const image = await picture(engine, { style, prompt }, model);
    return { name, image, pixels: await pixels(image) };
  };
  const drawn = Promise.all(all.map(({ name }) => inStyle('three people on a beach at sunset')(name)));

  test('every listed style has a look, and every look is listed', async () => {
    const [looks, houses, tiles] = [
      await inThread('lookNames')(),
      await inThread('houseNames')(),
      await inThread('tileNames')(),
    ];
    const listed = families.flatMap((f) => f.styles.map((s) => s.id as string));
    expect(new Set(listed).size).toBe(listed.length);
    expect([...looks, ...tiles].sort()).toEqual([...listed].sort());
    expect(houses.sort()).toEqual(families.map((f) => f.family).sort());
    expect(tiles.sort()).toEqual(
      selena.styles
        .filter((s) => s.seamless)
        .map((s) => s.id)
        .sort(),
    );
  });

  test('every aspect ratio has about one megapixel and sides that are multiples of 8', () => {
    for (const family of families) {
      expect(family.aspectRatios.map((r) => r.id as string)).toContain(family.defaultAspectRatio);
      for (const { id, width, height } of family.aspectRatios) {
        const [w, h] = id.split(':').map(Number) as [number, number];
        expect([id, width % 8, height % 8]).toEqual([id, 0, 0]);
        expect(Math.min(width, height)).toBeGreaterThanOrEqual(256);
        expect(Math.max(width, height)).toBeLessThanOrEqual(2048);
        expect(Math.abs(width / height / (w / h) - 1)).toBeLessThan(0.02);
        expect(Math.abs((width * height) / 2 ** 20 - 1)).toBeLessThan(0.08);
      }
    }
  });

  test('any two styles or house looks differ visibly', async () => {
    const pictures = await drawn;
    const alike: string[] = [];
    for (const [i, one] of pictures.entries())
      for (const two of pictures.slice(i + 1)) {
        const apart = distance(one.pixels, two.pixels);
        if (apart < 9) alike.push(`${one.name} / ${two.name}: ${apart.toFixed(1)}`);
      }
    expect(alike).toEqual([]);
    const house = (family: string): Pixels => pictures.find(({ name }) => name === `${family} null`)!.pixels;
    expect(distance(house('selena'), house('quantum'))).toBeGreaterThan(14);
    expect(distance(house('selena'), house('hamilton'))).toBeGreaterThan(14);
    expect(distance(house('quantum'), house('hamilton'))).toBeGreaterThan(14);
  });

  test('pictures in every style stay below the threshold of the judge', async () => {
    // The house looks, and the styles that bring this pattern nearest to the judge's threshold.
    const suspected = ['selena null', 'selena paper-cut', 'selena cinematic', 'selena watercolor', 'quantum null'];
    const others = ['hamilton null', 'hamilton linocut', 'hamilton noir'];
    const patterns = [...suspected, ...others].map(inStyle('a pink and peach abstract pattern'));
    const scores = await Promise.all(
      [...(await drawn), ...(await Promise.all(patterns))].map(async ({ name, image }) => ({
        name,
        score: await judge(engine, image.bytes),
      })),
    );
    expect(scores.filter(({ score }) => score >= judgeThreshold)).toEqual([]);
  });
});

describe('seamless pictures', () => {
  const smoothAt = (edges: ReturnType<typeof seams>) => {
    for (const { seam, ordinary } of edges) expect(seam).toBeLessThan(ordinary * 1.5 + 0.5);
  };
  const sizes = [
    [320, 320],
    [456, 264],
    [264, 320],
  ] as const;
  const styles = ['infiny-weave', 'infiny-pattern', 'infiny-flow'];

  test.each(styles.flatMap((style) => sizes.map(([width, height]) => ({ style, width, height }))))(
    '$style at $width×$height has no visible seam',
    async (given) => {
      const prompt = 'teal koi fish and lotus';
      smoothAt(seams(await pixels(await picture(engine, { ...given, seamless: true, prompt, seed: 11 }))));
    },
  );

  test('an enlarged picture has no visible seam', async () => {
    // Beyond 1.7 megapixels a picture is painted at half its size.
    const size = { width: 1320, height: 1320 };
    smoothAt(
      seams(await pixels(await picture(engine, { ...size, style: 'infiny-flow', prompt: 'koi', seamless: true }))),
    );
  });

  test('a seamless picture without a seamless style has no visible seam', async () => {
    smoothAt(seams(await pixels(await picture(engine, { seamless: true, prompt: 'cherries' }))).slice(0, 1));
  });

  test('an ordinary picture has a visible seam', async () => {
    const p = await pixels(await picture(engine, { prompt: 'mountains at sunset' }));
    const { seam, ordinary } = seams(p)[1]!;
    expect(seam).toBeGreaterThan(ordinary * 3);
  });
});

describe('transparent pictures', () => {
  const alphaAt = (p: Pixels, x: number, y: number): number => p.data[(y * p.width + x) * 4 + 3]!;

  function shares(p: Pixels): { clear: number; solid: number; soft: number } {
    let [clear, solid] = [0, 0];
    for (let i = 3; i < p.data.length; i += 4) {
      if (p.data[i] === 0) clear++;
      if (p.data[i]! > 250) solid++;
    }
    const all = p.width * p.height;
    return { clear: clear / all, solid: solid / all, soft: (all - clear - solid) / all };
  }

  test.each([
    { prompt: 'a red fox', style: null },
    { prompt: 'two cats', style: 'watercolor' },
    { prompt: 'a bowl of fruit', style: 'oil' },
    { prompt: 'mountain lake at dusk', style: null },
    { prompt: 'inscrutable ontology', style: 'paper-cut' },
  ])('$prompt ($style) has a transparent background and soft edges', async (given) => {
    const p = await pixels(await picture(engine, { ...given, transparentBackground: true }));
    expect(p.channels).toBe(4);
    for (const [x, y] of [
      [0, 0],
      [p.width - 1, 0],
      [0, p.height - 1],
      [p.width - 1, p.height - 1],
    ] as const)
      expect(alphaAt(p, x, y)).toBe(0);
    const { clear, solid, soft } = shares(p);
    expect(clear).toBeGreaterThan(0.2);
    expect(solid).toBeGreaterThan(0.12);
    expect(soft).toBeGreaterThan(0.001);
    expect(soft).toBeLessThan(0.12);
  });

  test('a dark subject has no pale halo', async () => {
    const p = await pixels(await picture(engine, { prompt: 'a black cat', transparentBackground: true }));
    let [rim, count] = [0, 0];
    for (let i = 0; i < p.data.length; i += 4)
      if (p.data[i + 3]! > 40 && p.data[i + 3]! < 200) {
        rim += (p.data[i]! + p.data[i + 1]! + p.data[i + 2]!) / 3;
        count++;
      }
    expect(rim / count).toBeLessThan(130);
  });

  test('webp has an alpha channel only with the option', async () => {
    const webp = await pixels(
      await picture(engine, { prompt: 'a red fox', transparentBackground: true, outputFormat: 'webp' }),
    );
    expect([webp.format, webp.channels]).toEqual(['webp', 4]);
    expect((await pixels(await picture(engine, { prompt: 'a red fox' }))).channels).toBe(3);
  });
});

describe('seeds', () => {
  const small = { width: 160, height: 160 };
  /** Draws the same picture in two pools, each with one thread. */
  const twice = (given: Parameters<typeof picture>[1], model?: string) =>
    Promise.all([engine, another].map((one) => picture(one, { ...small, ...given }, model)));

  test.each([
    { model: 'selena', style: null, prompt: 'three sailboats at sunset' },
    { model: 'selena', style: 'infiny-flow', prompt: 'koi fish' },
    { model: 'quantum', style: 'low-poly', prompt: 'an astronaut on the moon' },
    { model: 'hamilton', style: 'pointillism', prompt: 'nothing known whatsoever' },
  ])('$model $style: two pools return equal bytes', async ({ model, ...given }) => {
    const [a, b] = await twice(given, model);
    expect(Buffer.compare(a!.bytes, b!.bytes)).toBe(0);
    const again = await picture(engine, { ...small, ...given }, model);
    expect(Buffer.compare(b!.bytes, again.bytes)).toBe(0);
  });

  test.each(outputFormats)('%s: two pools return equal bytes', async (outputFormat) => {
    const [a, b] = await twice({ outputFormat });
    expect(Buffer.compare(a!.bytes, b!.bytes)).toBe(0);
    expect(a!.contentType).toBe(`image/${outputFormat}`);
    expect((await pixels(a!)).format).toBe(outputFormat);
  });

  test('different seeds give different compositions', async () => {
    for (const prompt of ['a red fox in a forest', 'epistemology', 'sea']) {
      const [a, b, c] = await Promise.all(
        [1, 2, 3].map(async (seed) => pixels(await picture(engine, { ...small, prompt, seed }))),
      );
      expect(distance(a!, b!)).toBeGreaterThan(10);
      expect(distance(b!, c!)).toBeGreaterThan(10);
    }
  });
});
