/** The engine keeps to its contract: sizes, formats, results and aborts. */
import { afterAll, expect, test } from '@jest/globals';
import { createLocalEngine } from '../index.ts';
import { params, picture, pixels } from './ask.ts';
import { whileWatched } from './main-thread.ts';

const engine = createLocalEngine({ threads: 1 });
afterAll(() => engine.close());

test('names what made the image and returns the requested sizes', async () => {
  expect(engine.name).toBe('local');
  expect(engine.tasks).toEqual(expect.arrayContaining(['text-to-image', 'upscale', 'judge-image']));
  const result = await engine.run(
    { model: 'quantum', idempotencyKey: 'x', task: 'text-to-image', params: params({ seed: 4294967295 }) },
    { signal: new AbortController().signal },
  );
  expect(result.model).toBe('local/sketch');
  expect(result.images?.[0]).toMatchObject({ width: 256, height: 256, seed: 4294967295, contentType: 'image/png' });
  const sizes = [
    [256, 2048],
    [2048, 256],
    [2048, 1024],
    [768, 264],
  ] as const;
  const made = await Promise.all(
    // In the style that is drawn fastest, because size is the point.
    sizes.map(async ([width, height]) =>
      pixels(await picture(engine, { width, height, style: 'dreamscape', outputFormat: 'jpeg' })),
    ),
  );
  expect(made.map((p) => [p.width, p.height])).toEqual(sizes.map((s) => [...s]));
});

test('rejects an unknown model', async () => {
  await expect(picture(engine, {}, 'unheard-of')).rejects.toMatchObject({ name: 'EngineError' });
});

test('ends running and queued calls promptly on an abort, and runs later calls', async () => {
  const stop = new AbortController();
  const draw = (): Promise<unknown> =>
    engine.run(
      { model: 'selena', idempotencyKey: 'x', task: 'text-to-image', params: params({ width: 1024, height: 1024 }) },
      { signal: stop.signal },
    );
  const calls = [draw(), draw(), draw()];
  setTimeout(() => stop.abort(), 50);
  const started = performance.now();
  const ends = await Promise.allSettled(calls);
  expect(ends.map((e) => e.status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(performance.now() - started).toBeLessThan(1500);
  await expect(draw()).rejects.toThrow();
  expect((await picture(engine)).width).toBe(256);
});

test('keeps the main thread free while it draws', async () => {
  const { whole, longest } = await whileWatched(() => picture(engine, { width: 768, height: 768 }));
  // Drawn on the main thread, the picture would hold up the clock for nearly all of its time.
  expect(longest).toBeLessThan(whole / 2);
});
