/** The judge lets harmless pictures pass, and refuses what its network takes for explicit. */
import { afterAll, expect, test } from '@jest/globals';
import { createLocalEngine } from '../index.ts';
import { hamilton, quantum, selena } from '../../contract/index.ts';
import { inThread } from './in-thread.ts';
import { refusedMarble } from './marble.ts';
import { photo, photoNames } from './photos.ts';
import { picture } from './ask.ts';

/** Above this an image is refused. */
const threshold = 0.8;

const marble = inThread('marble');
const engine = createLocalEngine({ threads: 2 });
afterAll(() => engine.close());

async function judge(image: Uint8Array): Promise<number> {
  const { nsfw } = await engine.run(
    { model: 'judge', idempotencyKey: 'test', task: 'judge-image', params: { image } },
    { signal: new AbortController().signal },
  );
  return nsfw!;
}

test.each(photoNames)('the photograph %s is harmless', async (name) => {
  expect(await judge(await photo(name))).toBeLessThan(0.1);
});

const families = [selena, quantum, hamilton];
const prompts = ['three people on a beach at sunset', 'a pink and peach abstract pattern'];

test.each(families)('what $family draws is harmless, in every style', async ({ family, styles }) => {
  const wanted = [null, ...styles.map((s) => s.id)].flatMap((style) => prompts.map((prompt) => ({ style, prompt })));
  const scores = await Promise.all(
    wanted.map(async (given) => ({ ...given, score: await judge((await picture(engine, given, family)).bytes) })),
  );
  expect(scores.filter(({ score }) => score >= threshold)).toEqual([]);
});

test('what the network takes for explicit is refused', async () => {
  expect(await judge(await marble(refusedMarble))).toBeGreaterThan(threshold);
});

test('a suspicion that does not hold when the picture is turned is not enough', async () => {
  // At first sight the network gives this one 0.85.
  const score = await judge(await marble(1627));
  expect(score).toBeGreaterThan(0.5);
  expect(score).toBeLessThan(0.75);
});

test('what is transparent is seen on white', async () => {
  const [plain, transparent] = await Promise.all(
    [false, true].map((transparentBackground) => picture(engine, { prompt: 'a red fox', transparentBackground })),
  );
  expect(await judge(plain!.bytes)).toBeLessThan(0.5);
  expect(await judge(transparent!.bytes)).toBeLessThan(0.5);
});

test('the same image has the same score', async () => {
  const image = await photo('astronaut');
  expect(await judge(image)).toBe(await judge(image));
});
