/** Reads the orientation from EXIF metadata. https://www.cipa.jp/std/documents/e/DC-X008-Translation-2019-E.pdf */

const orientationTag = 0x0112;
/** Type of a 16-bit integer. */
const short = 3;

/** @returns 1 (upright) when the metadata has no valid orientation */
export function readOrientation(exif: Buffer): number {
  const start = exif.toString('latin1', 0, 6) === 'Exif\0\0' ? 6 : 0;
  const tiff = exif.subarray(start);
  const order = tiff.toString('latin1', 0, 4);
  const isLittle = order === 'II*\0';
  if (!isLittle && order !== 'MM\0*') return 1;
  const short16 = (at: number) => (at + 2 > tiff.length ? 0 : isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  if (tiff.length < 8) return 1;
  const directory = isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
  const entries = short16(directory);
  for (let at = directory + 2; at < directory + 2 + 12 * entries && at + 12 <= tiff.length; at += 12) {
    if (short16(at) !== orientationTag || short16(at + 2) !== short) continue;
    const value = short16(at + 8);
    return value >= 1 && value <= 8 ? value : 1;
  }
  return 1;
}
