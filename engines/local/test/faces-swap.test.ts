/** Swapped faces look like the source's, sit in the target's pose, and leave everything around alone. */
import { expect, test } from '@jest/globals';
import { inThread } from './in-thread.ts';
import { cosine, describe, largestFace, once, pictured, rasterOf, resized } from './faces.ts';

/** A constant, because looking up a global takes a hundred times as long in Jest's realm. */
const { floor } = Math;

const swapFace = inThread('swapFace');
/** Grace Hopper and Eileen Collins with each other's faces, drawn once for all tests. */
const swapped = once(async (target: 'astronaut' | 'hopper') => {
  const source = target === 'hopper' ? 'astronaut' : 'hopper';
  return swapFace(order(await pictured(source), await pictured(target)));
});

const order = (source: Awaited<ReturnType<typeof pictured>>, target: typeof source) => ({
  source,
  target,
  nsfw: false,
  outputFormat: 'png' as const,
});

test('gives the target the likeness of the source, in both directions', async () => {
  const [astronaut, hopper] = [await pictured('astronaut'), await pictured('hopper')];
  for (const [source, target, made] of [
    [astronaut, hopper, await swapped('hopper')],
    [hopper, astronaut, await swapped('astronaut')],
  ] as const) {
    expect(made).toMatchObject({ model: 'local/face-mesh', width: target.width, height: target.height, seed: null });
    const [from, to, result] = [await describe(source), await describe(target), await describe(made)];
    // Photos of different people are at 0.3 to 0.5, photos of one person above 0.6.
    expect(cosine(from, to)).toBeLessThan(0.5);
    expect(cosine(from, result)).toBeGreaterThan(0.6);
    expect(cosine(from, result)).toBeGreaterThan(cosine(to, result));
  }
});

test('keeps the place of the face, and every pixel outside it', async () => {
  const target = await pictured('hopper');
  const made = await swapped('hopper');
  const [before, after] = [await rasterOf(target), await rasterOf(made)];
  const [was, is] = [await largestFace(before), await largestFace(after)];
  for (const point of [33, 263, 1, 152]) {
    const [a, b] = [was.mesh[point]!, is.mesh[point]!];
    expect(Math.hypot(a[0] - b[0], a[1] - b[1])).toBeLessThan(0.1 * was.box.width);
  }
  let [outside, inside] = [0, 0];
  for (let at = 0; at < before.data.length; at++) {
    if (before.data[at] === after.data[at]) continue;
    const [x, y] = [floor(at / 4) % before.width, floor(at / 4 / before.width)];
    const { box } = was;
    if (x < box.x - 1 || y < box.y - 1 || x > box.x + box.width + 1 || y > box.y + box.height + 1) outside++;
    else inside++;
  }
  expect(outside).toBe(0);
  expect(inside / (was.box.width * was.box.height * 4)).toBeGreaterThan(0.3);
});

test('adapts the skin to the tone of the target', async () => {
  const [source, target] = [await pictured('hopper'), await pictured('astronaut')];
  const mean = async (bytes: { bytes: Uint8Array }) => {
    const image = await rasterOf(bytes);
    const { mesh } = await largestFace(image);
    // Both cheeks, where every face is skin.
    const looks = [50, 101, 205, 280, 330, 425].map((point) => {
      const [x, y] = mesh[point]!;
      const at = (Math.round(y) * image.width + Math.round(x)) * 4;
      return [...image.data.subarray(at, at + 3)];
    });
    return [0, 1, 2].map((c) => looks.reduce((sum, look) => sum + look[c]!, 0) / looks.length);
  };
  const [from, to, result] = [await mean(source), await mean(target), await mean(await swapped('astronaut'))];
  const apart = (a: number[], b: number[]) => Math.hypot(...a.map((value, k) => value - b[k]!));
  expect(apart(from, to)).toBeGreaterThan(40);
  expect(apart(result, to)).toBeLessThan(0.6 * apart(from, to));
});

test('names the image in which no face was found', async () => {
  const [face, cat] = [await resized('astronaut', 240), await resized('chelsea', 240)];
  const refusal = (publicMessage: string) => ({ name: 'EngineError', code: 'face_not_found', publicMessage });
  await expect(swapFace(order(cat, face))).rejects.toMatchObject(refusal('No face was found in the source image.'));
  await expect(swapFace(order(face, cat))).rejects.toMatchObject(refusal('No face was found in the target image.'));
  await expect(swapFace(order(cat, cat))).rejects.toMatchObject(
    refusal('No face was found in the source and the target images.'),
  );
});

test('returns the same bytes for the same photos, enlarges a small source, and keeps a transparent target transparent', async () => {
  const source = await resized('astronaut', 200);
  const target = await resized('hopper', 320, 0.5);
  const [once, again] = [await swapFace(order(source, target)), await swapFace(order(source, target))];
  expect(Buffer.compare(once.bytes, again.bytes)).toBe(0);
  const [before, after] = [await rasterOf(target), await rasterOf(once)];
  expect(after.data[3]).toBe(before.data[3]);
  expect(cosine(await describe(source), await describe(once))).toBeGreaterThan(0.5);
});
