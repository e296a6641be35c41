/** Makes faces unrecognisable. */
import { EngineError } from '../../contract/index.ts';
import type { Raster } from '../raster.ts';
import { findFaces } from '../vision/faces.ts';
import { blended } from './picture.ts';
import { blurred, pixelated } from './soften.ts';
import { clamp } from '../pixels/range.ts';

export async function censored(raster: Raster, how: 'blur' | 'pixelate'): Promise<Raster> {
  const faces = await findFaces(raster);
  const largest = faces[0]?.box;
  if (!largest) {
    throw new EngineError('face_not_found', 'No face to censor.', { publicMessage: 'No face was found in the image.' });
  }
  // One strength for all: the largest face needs most, and more does smaller ones no harm.
  const size = Math.max(largest.width, largest.height);
  const hidden =
    how === 'blur' ? await blurred(raster, Math.max(4, size / 5)) : await pixelated(raster, Math.max(4, size / 8));
  const mask: Raster<1> = {
    width: raster.width,
    height: raster.height,
    channels: 1,
    data: new Uint8Array(raster.width * raster.height),
  };
  for (const { box } of faces) oval(mask, box);
  return blended(raster, hidden, mask);
}

function oval({ width, height, data }: Raster<1>, box: { x: number; y: number; width: number; height: number }): void {
  const [cx, cy] = [box.x + box.width / 2, box.y + box.height / 2];
  const [rx, ry] = [box.width * 0.66, box.height * 0.72];
  for (let y = Math.max(0, Math.floor(cy - ry)); y < Math.min(height, cy + ry); y++)
    for (let x = Math.max(0, Math.floor(cx - rx)); x < Math.min(width, cx + rx); x++) {
      const d = Math.hypot((x - cx) / rx, (y - cy) / ry);
      const v = Math.round(255 * clamp((1 - d) / 0.08));
      data[y * width + x] = Math.max(data[y * width + x]!, v);
    }
}
