/** Transfers a change of a reduced picture to full size, with the picture's own fine detail. */
import type { Raster } from '../raster.ts';
import { enlargedRows } from '../pixels/plane.ts';
import { toByte } from '../pixels/range.ts';

/** Share of the fine detail that a dressed picture keeps. */
const kept = 0.7;

/**
 * @param dressed the changed reduced picture
 * @param small the same picture before the change
 * @param full the picture at full size
 */
export function enlarged(dressed: Raster, small: Raster, full: Raster): Raster {
  const data = new Uint8Array(full.data);
  const [dressedRow, smallRow] = [enlargedRows(dressed, full), enlargedRows(small, full)];
  for (let y = 0, o = 0; y < full.height; y++) {
    const [now, then] = [dressedRow(y), smallRow(y)];
    for (let x = 0; x < full.width * 4; x += 4, o += 4) {
      let detail = 0;
      for (let c = 0; c < 3; c++) detail += (full.data[o + c]! - then[x + c]!) / 3;
      for (let c = 0; c < 3; c++) data[o + c] = toByte(now[x + c]! + kept * detail);
    }
  }
  return { ...full, data };
}
