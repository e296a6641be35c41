/** Makes faces unrecognisable. */
import type { Raster } from '../raster.ts';
import { requireFaces } from '../vision/faces.ts';
import { blended } from './picture.ts';
import { blurred, pixelated } from './soften.ts';
import type { Box } from '../pixels/box.ts';
import { clamp } from '../pixels/range.ts';

export async function censored(raster: Raster, how: 'blur' | 'pixelate'): Promise<Raster> {
  const faces = await requireFaces(raster);
  const { width, height } = raster;
  // One strength for all faces: the largest face needs the most, which does no harm to smaller ones.
  const size = Math.max(faces[0].box.width, faces[0].box.height);
  const hidden =
    how === 'blur' ? await blurred(raster, Math.max(4, size / 5)) : await pixelated(raster, Math.max(4, size / 8));
  const mask: Raster<1> = { width, height, channels: 1, data: new Uint8Array(width * height) };
  for (const { box } of faces) oval(mask, box);
  return blended(raster, hidden, mask);
}

/** Adds an oval around a face, with a soft edge, to a mask. */
function oval({ width, height, data }: Raster<1>, box: Box): void {
  const [cx, cy] = [box.x + box.width / 2, box.y + box.height / 2];
  const [rx, ry] = [box.width * 0.66, box.height * 0.72];
  for (let y = Math.max(0, Math.floor(cy - ry)); y < Math.min(height, cy + ry); y++)
    for (let x = Math.max(0, Math.floor(cx - rx)); x < Math.min(width, cx + rx); x++) {
      const d = Math.hypot((x - cx) / rx, (y - cy) / ry);
      const v = Math.round(255 * clamp((1 - d) / 0.08));
      data[y * width + x] = Math.max(data[y * width + x]!, v);
    }
}
