/** The judge scores harmless pictures low, and high those that its network takes for explicit. */
import { afterAll, expect, test } from '@jest/globals';
import { createLocalEngine } from '../index.ts';
import { inThread } from './in-thread.ts';
import { refusedMarble } from './marble.ts';
import { photo, photoNames } from './photos.ts';
import { judge as judgedBy, judgeThreshold, picture } from './ask.ts';

const marble = inThread('marble');
const engine = createLocalEngine({ threads: 1 });
afterAll(() => engine.close());

const judge = (image: Uint8Array) => judgedBy(engine, image);

test.each(photoNames)('the photograph %s is harmless', async (name) => {
  expect(await judge(await photo(name))).toBeLessThan(0.1);
});

test('scores above the threshold what the network takes for explicit', async () => {
  expect(await judge(await marble(refusedMarble))).toBeGreaterThan(judgeThreshold);
});

test('scores lower if a suspicion does not hold for the turned picture', async () => {
  // At first sight the network gives this one 0.85.
  const score = await judge(await marble(1627));
  expect(score).toBeGreaterThan(0.5);
  expect(score).toBeLessThan(0.75);
});

test('judges a transparent picture on white', async () => {
  const [plain, transparent] = await Promise.all(
    [false, true].map((transparentBackground) => picture(engine, { prompt: 'a red fox', transparentBackground })),
  );
  expect(await judge(plain!.bytes)).toBeLessThan(0.5);
  expect(await judge(transparent!.bytes)).toBeLessThan(0.5);
});

test('returns the same score for the same image', async () => {
  const image = await photo('astronaut');
  expect(await judge(image)).toBe(await judge(image));
});
