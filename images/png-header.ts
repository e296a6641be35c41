/** Reads the header of a PNG. https://www.w3.org/TR/png-3/ */
import { readOrientation } from './exif-orientation.ts';
import { type HeaderReader, maxParts } from './picture.ts';

/** Bytes of the signature and the first chunk. */
const start = 33;

/** Reads the chunks before the pixels: an animated PNG has an acTL chunk there, and EXIF metadata an eXIf chunk. */
export const readPngHeader: HeaderReader = (bytes) => {
  if (bytes.length < start) return 'incomplete';
  if (bytes.readUInt32BE(8) !== 13 || bytes.toString('latin1', 12, 16) !== 'IHDR') return null;
  const header = { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20), orientation: 1, animated: false };
  for (let at = start, parts = 0; at + 8 <= bytes.length; parts++) {
    if (parts === maxParts) return null;
    const length = bytes.readUInt32BE(at);
    const data = at + 8;
    const type = bytes.toString('latin1', at + 4, data);
    if (type === 'IDAT') return header;
    if (type === 'IEND') return null;
    if (type === 'acTL') header.animated = true;
    if (type === 'eXIf') header.orientation = readOrientation(bytes.subarray(data, data + length));
    at = data + length + 4;
  }
  return 'incomplete';
};
