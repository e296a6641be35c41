/** Reads the header of a WebP. https://developers.google.com/speed/webp/docs/riff_container */
import { readOrientation } from './exif-orientation.ts';
import { type Header, type HeaderReader, maxParts } from './picture.ts';

/** Flags of the VP8X chunk. */
const animationFlag = 0x02;
const exifFlag = 0x08;

/** Reads the first chunk, and the EXIF chunk at the end of the file if there is one. */
export const readWebpHeader: HeaderReader = (bytes) => {
  const data = 20;
  if (bytes.length < Math.max(data + 10, 8 + bytes.readUInt32LE(4))) return 'incomplete';
  const type = bytes.toString('latin1', 12, 16);
  if (type === 'VP8 ') return lossy(bytes, data);
  if (type === 'VP8L') return lossless(bytes, data);
  if (type !== 'VP8X') return null;
  const flags = bytes.readUInt8(data);
  const [width, height] = [1 + bytes.readUIntLE(data + 4, 3), 1 + bytes.readUIntLE(data + 7, 3)];
  const exif = flags & exifFlag ? findChunk(bytes, 'EXIF') : null;
  return { width, height, orientation: exif ? readOrientation(exif) : 1, animated: Boolean(flags & animationFlag) };
};

/** Returns the header of a VP8 key frame: three bytes, a start code, and two sizes of 14 bits. */
function lossy(bytes: Buffer, data: number): Header | null {
  if (bytes.readUIntBE(data + 3, 3) !== 0x9d012a) return null;
  const [width, height] = [bytes.readUInt16LE(data + 6) & 0x3fff, bytes.readUInt16LE(data + 8) & 0x3fff];
  return { width, height, orientation: 1, animated: false };
}

/** Returns the header of a VP8L stream: a signature, and two sizes of 14 bits, less one. */
function lossless(bytes: Buffer, data: number): Header | null {
  if (bytes.readUInt8(data) !== 0x2f) return null;
  const sizes = bytes.readUInt32LE(data + 1);
  return { width: 1 + (sizes & 0x3fff), height: 1 + ((sizes >>> 14) & 0x3fff), orientation: 1, animated: false };
}

function findChunk(bytes: Buffer, name: string): Buffer | null {
  for (let at = 12, parts = 0; at + 8 <= bytes.length && parts < maxParts; parts++) {
    const length = bytes.readUInt32LE(at + 4);
    if (bytes.toString('latin1', at, at + 4) === name) return bytes.subarray(at + 8, at + 8 + length);
    // Chunks have an even length.
    at += 8 + length + (length % 2);
  }
  return null;
}
