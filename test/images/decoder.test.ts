/** Hostile files end within their limits of time and memory, and no process remains. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, expect, test } from '@jest/globals';
import { decodeLimits } from '../../images/decode-limits.ts';
import { createDecoder } from '../../images/decoder.ts';
import { childrenOf, childrenOfThisProcess } from '../support/children.ts';
import { eventually } from '../support/eventually.ts';
import { costlySvg, jpegOfScans, pngOfComments, pngOfEndlessRows, pngOfProfile } from '../support/hostile-images.ts';
import { bomb, drawn, refusedByHeader } from '../support/pictures.ts';

/** CPU time in milliseconds, far less than a scan bomb takes. */
const cpuTime = 1000;
const strict = createDecoder({ limits: (pixels, bytes) => ({ ...decodeLimits(pixels, bytes), cpuTime }) });
const decoder = createDecoder();
afterAll(() => Promise.all([strict.close(), decoder.close()]));

const never = new AbortController().signal;
const input = { to: 'input' } as const;
const result = {
  to: 'result',
  format: 'png',
  size: null,
  isGray: false,
  alpha: 'any',
  needsObject: false,
} as const;

test.each(['a GIF', 'a TIFF', 'an AVIF', 'a PDF', 'HTML', 'an SVG with a script'])('refuses %s', async (name) => {
  const file = await refusedByHeader[name]!();
  expect(await decoder.convert(file, result, never)).toEqual({ refused: 'not-an-image' });
});

test('refuses an SVG, whose header alone would take seconds, at once', async () => {
  const began = performance.now();
  expect(await decoder.convert(costlySvg(), result, never)).toEqual({ refused: 'not-an-image' });
  expect(performance.now() - began).toBeLessThan(1000);
});

test('refuses too many pixels by the header', async () => {
  expect(await decoder.convert(bomb(8001, 8000), result, never)).toEqual({ refused: 'image-too-large' });
});

test.each([input, result])('ends a JPEG with thousands of scans at the limit of CPU time', async (conversion) => {
  const began = performance.now();
  expect(await strict.convert(jpegOfScans(4000), conversion, never)).toEqual({ refused: 'image-too-costly' });
  expect(performance.now() - began).toBeLessThan(10 * cpuTime);
});

test.each([input, result])('ends a PNG whose comments have gigabytes at the limit of memory', async (conversion) => {
  const began = performance.now();
  expect(await decoder.convert(pngOfComments(), conversion, never)).toEqual({ refused: 'image-too-costly' });
  expect(performance.now() - began).toBeLessThan(10_000);
});

test.each([
  ['endless rows', pngOfEndlessRows],
  ['a huge colour profile', pngOfProfile],
])('reads a PNG with %s within its limits', async (_name, make) => {
  expect(await strict.convert(make(), input, never)).toMatchObject({ width: 64, height: 64 });
});

test('decodes the largest images that clients and providers may send', async () => {
  expect(await decoder.convert(bomb(5000, 5000), input, never)).toMatchObject({ width: 5000, height: 5000 });
  const large = await drawn(8000, 8000).webp({ effort: 0 }).toBuffer();
  expect(await decoder.convert(large, { ...result, format: 'jpeg' }, never)).toMatchObject({ width: 8000 });
  // The memory of a large image does not count for the next one.
  expect(await decoder.convert(await drawn(64, 64).png().toBuffer(), input, never)).toMatchObject({ width: 64 });
});

test('ends the process of an aborted conversion, and converts the next image', async () => {
  const own = createDecoder({ processes: 1 });
  const stop = new AbortController();
  const aborted = own.convert(jpegOfScans(4000), input, stop.signal);
  const waiting = own.convert(jpegOfScans(4000), input, stop.signal);
  await delay(500);
  stop.abort(new Error('canceled'));
  await expect(aborted).rejects.toThrow('canceled');
  await expect(waiting).rejects.toThrow('canceled');
  const file = await drawn(64, 64).png().toBuffer();
  expect(await own.convert(file, input, never)).toMatchObject({ width: 64 });
  await own.close();
});

test('repeats a conversion whose process was ended from outside', async () => {
  const own = createDecoder({ processes: 1 });
  const before = childrenOfThisProcess();
  const converted = own.convert(jpegOfScans(1000), input, never);
  const pid = await eventually(() => {
    const added = childrenOfThisProcess().filter((child) => !before.includes(child));
    expect(added).toHaveLength(1);
    return added[0]!;
  });
  process.kill(pid, 'SIGKILL');
  expect(await converted).toMatchObject({ width: 1000, height: 1000 });
  await own.close();
});

test('leaves no process behind', async () => {
  const before = childrenOfThisProcess();
  const own = createDecoder({ idleTimeout: 300 });
  const file = await drawn(64, 64).png().toBuffer();
  await Promise.all([1, 2, 3].map(() => own.convert(file, input, never)));
  expect(childrenOfThisProcess().length).toBe(before.length + 2);
  await eventually(() => expect(childrenOfThisProcess()).toEqual(before));
  await own.convert(file, input, never);
  await own.close();
  expect(childrenOfThisProcess()).toEqual(before);
  await expect(own.convert(file, input, never)).rejects.toThrow('closed');
});

test('ends with the process that started it, even if that one is killed', async () => {
  const code = `
    import { createDecoder } from ${JSON.stringify(new URL('../../images/decoder.ts', import.meta.url).href)};
    const file = Buffer.from('${(await drawn(64, 64).png().toBuffer()).toString('base64')}', 'base64');
    await createDecoder().convert(file, { to: 'input' }, new AbortController().signal);
    setInterval(() => {}, 1000);
    process.stdout.write('ready');`;
  const parent = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(parent.stdout, 'data');
  const [child] = childrenOf(parent.pid!);
  parent.kill('SIGKILL');
  await once(parent, 'exit');
  await eventually(() => expect(() => process.kill(child!, 0)).toThrow());
});

test('a process that only draws its own icons reads no other format', async () => {
  const loaders = new URL('../../images/loaders.ts', import.meta.url).href;
  const gif = await refusedByHeader['a GIF']!();
  const code = `
    import sharp from ${JSON.stringify(import.meta.resolve('sharp'))};
    import { allowFormats } from ${JSON.stringify(loaders)};
    allowFormats(['png', 'jpeg', 'webp', 'svg']);
    const reads = (bytes) => sharp(bytes).raw().toBuffer().then(() => true, () => false);
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>');
    const png = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } }).png().toBuffer();
    console.log(await Promise.all([svg, png, Buffer.from('${gif.toString('base64')}', 'base64')].map(reads)).then(String));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', code]);
  expect(stdout.trim()).toBe('true,true,false');
});
