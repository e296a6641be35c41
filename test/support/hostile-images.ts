/** Creates files that attack a decoder: small, valid at first sight, and costly to decode. */
import { deflateSync } from 'node:zlib';
import { bomb, chunk } from './pictures.ts';

/** Returns an SVG of 1 KB without a size, for which libvips passes over half a million lines to find it: for 8 s. */
export function costlySvg(): Buffer {
  const groups = Array.from({ length: 6 }, (_, level) => {
    const copies = `<use href="#g${level}"/>`.repeat(9);
    return `<g id="g${level + 1}">${copies}</g>`;
  });
  const defs = `<defs><g id="g0"><path d="M0 0l9 9"/></g>${groups.join('')}</defs>`;
  return Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg">${defs}<use href="#g6"/></svg>`);
}

/** Returns a PNG of 1 MB whose comments have gigabytes. Each of them is just below the limit of libpng. */
export function pngOfComments(count = 100): Buffer {
  const text = deflateSync(Buffer.alloc(7.5 * 2 ** 20, 'a'), { level: 9 });
  const comments = Array.from({ length: count }, (_, i) =>
    chunk('zTXt', Buffer.concat([Buffer.from(`Comment ${i}\0\0`), text])),
  );
  return insertChunks(comments);
}

/** Returns a PNG of 64×64 pixels whose compressed rows go on for 256 MB. */
export function pngOfEndlessRows(): Buffer {
  const start = bomb(64, 64).subarray(0, 33);
  const rows = deflateSync(Buffer.alloc(2 ** 28), { level: 9 });
  return Buffer.concat([start, chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))]);
}

/** Returns a PNG whose colour profile has 256 MB. */
export function pngOfProfile(): Buffer {
  const profile = deflateSync(Buffer.alloc(2 ** 28), { level: 9 });
  return insertChunks([chunk('iCCP', Buffer.concat([Buffer.from('Profile\0\0'), profile]))]);
}

function insertChunks(chunks: Buffer[]): Buffer {
  const small = bomb(64, 64);
  return Buffer.concat([small.subarray(0, 33), ...chunks, small.subarray(33)]);
}

/** Returns a progressive JPEG of black pixels with 2647 valid scans, each of which passes over all blocks. */
export function jpegOfScans(side: number): Buffer {
  const blocks = Math.ceil(side / 8) ** 2;
  const scans = [scan([1, 2, 3], [0, 0], [0, 0], Buffer.alloc(Math.ceil((blocks * 3) / 8)))];
  const nothing = emptyBlocks(blocks);
  for (let bit = 13; bit >= 0; bit--) {
    for (const component of [1, 2, 3]) {
      for (let coefficient = 1; coefficient < 64; coefficient++) {
        const before = bit === 13 ? 0 : bit + 1;
        scans.push(scan([component], [coefficient, coefficient], [before, bit], nothing));
      }
    }
  }
  const quantization = segment(0xdb, [0, ...Array<number>(64).fill(1)]);
  const components = [1, 2, 3].flatMap((id) => [id, 0x11, 0]);
  const frame = segment(0xc2, [8, side >> 8, side & 255, side >> 8, side & 255, 3, ...components]);
  // One code of one bit for no difference; fifteen codes of four bits for runs of empty blocks.
  const dc = segment(0xc4, [0x00, 1, ...Array<number>(15).fill(0), 0]);
  const runs = Array.from({ length: 15 }, (_, n) => n << 4);
  const ac = segment(0xc4, [0x10, 0, 0, 0, 15, ...Array<number>(12).fill(0), ...runs]);
  const [start, end] = [Buffer.from([0xff, 0xd8]), Buffer.from([0xff, 0xd9])];
  return Buffer.concat([start, quantization, frame, dc, ac, ...scans, end]);
}

function segment(marker: number, data: number[]): Buffer {
  const length = data.length + 2;
  return Buffer.from([0xff, marker, length >> 8, length & 255, ...data]);
}

type Pair = readonly [number, number];

/** @param range of coefficients @param bits position before and after the scan */
function scan(components: number[], range: Pair, [before, after]: Pair, data: Buffer): Buffer {
  const tables = components.flatMap((id) => [id, 0]);
  const header = segment(0xda, [components.length, ...tables, ...range, (before << 4) | after]);
  return Buffer.concat([header, data]);
}

/** Returns the codes of runs that cover all blocks. A run code n stands for 2^n blocks and as many more as n bits say. */
function emptyBlocks(count: number): Buffer {
  let bits = '';
  for (let left = count; left > 0;) {
    const n = Math.min(14, Math.floor(Math.log2(left)));
    const more = Math.min(left - 2 ** n, 2 ** n - 1);
    bits += n.toString(2).padStart(4, '0') + (n > 0 ? more.toString(2).padStart(n, '0') : '');
    left -= 2 ** n + more;
  }
  const padded = bits.padEnd(Math.ceil(bits.length / 8) * 8, '1');
  const bytes = padded.match(/.{8}/g) ?? [];
  // A byte of ones is followed by zeros, so that it is no marker.
  return Buffer.from(bytes.map((byte) => parseInt(byte, 2)).flatMap((byte) => (byte === 255 ? [255, 0] : [byte])));
}
