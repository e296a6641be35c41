/** Creates image files of every kind that a client may send, valid and invalid. */
import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { photo } from '../../engines/local/test/photos.ts';

/** A drawn scene with smooth and sharp parts. */
export function drawn(width: number, height: number) {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 100 100" preserveAspectRatio="none">
    <defs><linearGradient id="g" y2="1" x2="0"><stop stop-color="#8ac"/><stop offset="1" stop-color="#375"/></linearGradient></defs>
    <rect width="100" height="100" fill="url(#g)"/><circle cx="30" cy="40" r="18" fill="#d52"/></svg>`;
  return sharp(Buffer.from(svg)).removeAlpha();
}

const png = (width: number, height: number) => drawn(width, height).png().toBuffer();

/** Returns a JPEG with an EXIF orientation and a GPS position. Its left half is red before it is turned upright. */
export async function turned(orientation: number): Promise<Buffer> {
  const left = await sharp({ create: { width: 60, height: 80, channels: 3, background: '#e01010' } })
    .png()
    .toBuffer();
  return sharp({ create: { width: 120, height: 80, channels: 3, background: '#1030d0' } })
    .composite([{ input: left, left: 0, top: 0 }])
    .withExif({
      IFD0: { Copyright: 'somebody', Orientation: String(orientation) },
      IFD3: { GPSLatitude: '52/1 31/1 0/1', GPSLatitudeRef: 'N' },
    })
    .withMetadata({ orientation })
    .jpeg({ quality: 95, chromaSubsampling: '4:4:4' })
    .toBuffer();
}

/** Returns a chunk of a PNG file. */
export function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(data.length, 0);
  ends.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
}

/** Returns a PNG with pixels of one colour, whose file is tiny in comparison with its decoded size. */
export function bomb(width: number, height: number): Buffer {
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0]);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  const rows = deflateSync(Buffer.alloc((Math.ceil(width / 8) + 1) * height));
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))]);
}

/** Files that the service accepts, in common and uncommon encodings. */
export const usable: Record<string, () => Promise<Buffer>> = {
  'a JPEG photograph': () => photo('coffee'),
  'a PNG': () => png(100, 80),
  'a WebP': () => drawn(100, 80).webp().toBuffer(),
  'a lossless WebP with alpha': () => drawn(100, 80).ensureAlpha(0.5).webp({ lossless: true }).toBuffer(),
  'a progressive JPEG': () => drawn(100, 80).jpeg({ progressive: true }).toBuffer(),
  'a CMYK JPEG': () => drawn(100, 80).toColourspace('cmyk').jpeg().toBuffer(),
  'a gray JPEG': () => drawn(100, 80).toColourspace('b-w').jpeg().toBuffer(),
  'a 16-bit PNG': () => drawn(100, 80).toColourspace('rgb16').png().toBuffer(),
  'a 16-bit gray PNG': () => drawn(100, 80).toColourspace('grey16').png().toBuffer(),
  'a palette PNG': () => drawn(100, 80).png({ palette: true, colours: 8 }).toBuffer(),
  'an interlaced PNG': () => drawn(100, 80).png({ progressive: true }).toBuffer(),
  'a PNG with an embedded P3 profile': () => drawn(100, 80).withIccProfile('p3').png().toBuffer(),
  'a still PNG whose comment mentions acTL chunks': async () => {
    const still = await png(100, 80);
    return Buffer.concat([
      still.subarray(0, 33),
      chunk('tEXt', Buffer.from('Comment\0about acTL chunks')),
      still.subarray(33),
    ]);
  },
  'an image of the smallest size': () => png(64, 64),
  'a 25 megapixel PNG': () => Promise.resolve(bomb(5000, 5000)),
};

/** Files that the API rejects because of their header. */
export const refusedByHeader: Record<string, () => Promise<Buffer>> = {
  'an empty file': () => Promise.resolve(Buffer.alloc(0)),
  'one byte': () => Promise.resolve(Buffer.from([0x89])),
  text: () => Promise.resolve(Buffer.from('hello, this is no image')),
  HTML: () => Promise.resolve(Buffer.from('<!doctype html><html><body>Not found</body></html>')),
  'an SVG with a script': () =>
    Promise.resolve(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')),
  'a GIF': () => drawn(100, 80).gif().toBuffer(),
  'a TIFF': () => drawn(100, 80).tiff().toBuffer(),
  'an AVIF': () => drawn(100, 80).avif().toBuffer(),
  'a PDF': () => Promise.resolve(Buffer.from('%PDF-1.7\n%âãÏÓ\n1 0 obj\n<<>>\nendobj\n')),
  'a PNG cut off in its header': async () => (await png(100, 80)).subarray(0, 20),
  'a JPEG signature and nothing else': () => Promise.resolve(Buffer.from([0xff, 0xd8, 0xff, 0xe0])),
  'a WebP signature and nothing else': () => Promise.resolve(Buffer.from('RIFF\x10\0\0\0WEBPVP8 ', 'latin1')),
  'a PNG of 1×1': () => png(1, 1),
  'a PNG of 63×64': () => png(63, 64),
  'a PNG of 30 000×1': () => png(30_000, 1),
  'a decompression bomb of 30 000×30 000': () => Promise.resolve(bomb(30_000, 30_000)),
  'a little more than 25 megapixels': () => Promise.resolve(bomb(5001, 5000)),
  'a WebP cut off in the middle': async () =>
    half(
      await sharp(await photo('coffee'))
        .webp()
        .toBuffer(),
    ),
  'a PNG with broken data': async () => {
    const bytes = await png(200, 160);
    return bytes.fill(0x55, 60, bytes.length - 40);
  },
  'an animated WebP': async () => {
    const frames = [await png(100, 80), await drawn(100, 80).negate().png().toBuffer()];
    return sharp(frames, { join: { animated: true } })
      .webp()
      .toBuffer();
  },
  'an animated PNG': async () => {
    const still = await png(100, 80);
    const text = chunk('tEXt', Buffer.from(`Comment\0${'a'.repeat(70_000)}`));
    const control = chunk('acTL', Buffer.from([0, 0, 0, 2, 0, 0, 0, 0]));
    return Buffer.concat([still.subarray(0, 33), text, control, still.subarray(33)]);
  },
};

/** Files with a valid header and pixels that cannot be decoded. */
export const damaged: Record<string, () => Promise<Buffer>> = {
  'a PNG cut off in the middle': async () => half(await png(200, 160)),
  'a JPEG cut off in the middle': async () => half(await photo('coffee')),
};

const half = (bytes: Buffer) => bytes.subarray(0, bytes.length >> 1);
