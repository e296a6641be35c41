/** Reads the header of a JPEG. https://www.w3.org/Graphics/JPEG/itu-t81.pdf */
import { readOrientation } from './exif-orientation.ts';
import { type Header, type HeaderReader, maxParts } from './picture.ts';

/** Markers without a segment: TEM, RST0 to RST7, SOI. */
const hasNoSegment = (marker: number) => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8);

/** SOF0 to SOF15; the three others in this range are DHT, JPG and DAC. */
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

/** Reads the segments before the first scan. */
export const readJpegHeader: HeaderReader = (bytes) => {
  let frame: Omit<Header, 'orientation'> | null = null;
  let orientation: number | null = null;
  let at = 2;
  for (let parts = 0; parts < maxParts; parts++) {
    at = bytes.indexOf(0xff, at);
    const marker = at < 0 ? undefined : bytes[at + 1];
    if (marker === undefined) return 'incomplete';
    at++;
    // Fill bytes may precede a marker.
    if (marker === 0xff) continue;
    at++;
    if (marker === 0x00 || hasNoSegment(marker)) continue;
    if (marker === 0xda) return frame && { ...frame, orientation: orientation ?? 1 };
    if (marker === 0xd9) return null;
    if (at + 2 > bytes.length) return 'incomplete';
    const length = bytes.readUInt16BE(at);
    if (length < 2) return null;
    const segment = bytes.subarray(at + 2, at + length);
    if (isFrame(marker)) {
      if (segment.length < 5) return at + length > bytes.length ? 'incomplete' : null;
      frame = { height: segment.readUInt16BE(1), width: segment.readUInt16BE(3), animated: false };
    }
    const isExif = marker === 0xe1 && segment.toString('latin1', 0, 6) === 'Exif\0\0';
    if (isExif) orientation ??= readOrientation(segment);
    at += length;
  }
  return null;
};
