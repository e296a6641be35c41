/** The header of an image, read without an image library, says the same as libvips. */
import { expect, test } from '@jest/globals';
import sharp from 'sharp';
import { readPicture } from '../../images/header.ts';
import { bomb, damaged, drawn, refusedByHeader, turned, usable } from '../support/pictures.ts';

async function expectSame(file: Buffer): Promise<void> {
  const { format, autoOrient, pages = 1 } = await sharp(file).metadata();
  expect(readPicture(file)).toEqual({ contentType: `image/${format}`, ...autoOrient, animated: pages > 1 });
}

test.each(Object.keys({ ...usable, ...damaged }))('reads %s', async (name) => {
  await expectSame(await { ...usable, ...damaged }[name]!());
});

test.each([1, 2, 3, 4, 5, 6, 7, 8])('applies the orientation %i in every format', async (orientation) => {
  await expectSame(await turned(orientation));
  for (const format of ['png', 'jpeg', 'webp'] as const) {
    await expectSame(await drawn(120, 80).withMetadata({ orientation }).toFormat(format).toBuffer());
  }
});

test('reads an animated WebP', async () => {
  expect(readPicture(await refusedByHeader['an animated WebP']!())).toMatchObject({ animated: true });
});

test.each(['png', 'jpeg', 'webp'] as const)('rejects a %s that ends anywhere in its header', async (format) => {
  const file = await drawn(100, 80).toFormat(format).toBuffer();
  for (let length = 0; length < 20; length++) expect(readPicture(file.subarray(0, length))).toBeNull();
});

test.each(['png', 'jpeg', 'webp'] as const)('never throws for a damaged %s', async (format) => {
  const file = await drawn(100, 80).withMetadata({ orientation: 6 }).toFormat(format).toBuffer();
  for (let at = 12; at < Math.min(file.length, 400); at++) {
    for (const value of [0, 0x7f, 0xff]) {
      const changed = Buffer.from(file);
      changed[at] = value;
      expect(() => readPicture(changed)).not.toThrow();
    }
  }
});

const filled = (start: string, part: string) =>
  Buffer.concat([Buffer.from(start, 'hex'), Buffer.alloc(20 * 2 ** 20, Buffer.from(part, 'hex'))]);

test.each([
  ['a JPEG of empty segments', filled('ffd8', 'ffe10002')],
  ['a JPEG of escaped bytes', filled('ffd8ff', 'ff00')],
  ['a JPEG of fill bytes', filled('ffd8', 'ff')],
  ['a PNG of empty chunks', Buffer.concat([bomb(64, 64).subarray(0, 33), filled('', '0000000074455874')])],
])('does not read millions of parts: %s', (_name, file) => {
  const began = performance.now();
  expect(readPicture(file)).toBeNull();
  expect(performance.now() - began).toBeLessThan(1000);
});
