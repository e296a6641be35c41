/** The sizes that a model accepts: every requested size is scaled into them, and loses no pixels where they allow it. */
import { expect, test } from '@jest/globals';
import { fitSize } from '../../../engines/upstream/fit-size.ts';

const range = { multipleOf: 16, minPixels: 2 ** 20, maxPixels: 3840 * 2160, maxSide: 3840, maxRatio: 3 };

test.each([
  ['1024x1024', '1024x1024'],
  ['2048x2048', '2048x2048'],
  ['1344x768', '1360x784'],
  ['256x256', '1024x1024'],
  ['2048x256', '2048x688'],
  ['3841x2161', '3824x2160'],
  ['6000x4000', '3520x2336'],
  ['9000x1000', '3840x1280'],
  ['auto', 'auto'],
])('%s becomes %s', (size, expected) => {
  expect(fitSize(size, range)).toBe(expected);
});

test('every size of a request is scaled to an accepted size that contains it', () => {
  for (let width = 256; width <= 2048; width += 64) {
    for (let height = 256; height <= 2048; height += 32) {
      const [wide = 0, tall = 0] = fitSize(`${width}x${height}`, range).split('x').map(Number);
      const facts = [wide % 16, tall % 16, wide * tall >= range.minPixels, wide * tall <= range.maxPixels];
      expect([width, height, ...facts]).toEqual([width, height, 0, 0, true, true]);
      expect(Math.max(wide / tall, tall / wide)).toBeLessThanOrEqual(3);
      expect(wide >= width && tall >= height).toBe(true);
    }
  }
});
