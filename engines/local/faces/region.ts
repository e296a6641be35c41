/** Regions around faces, and patches laid over them. */
import type { Raster } from '../raster.ts';
import { type Box, grown, within } from '../pixels/box.ts';
import { resized } from '../pixels/resize.ts';

/** Returns the box with `room` times its size around it, in whole pixels inside of the image. */
export function around(box: Box, room: number, image: Raster): Box {
  return within(grown(box, room * Math.max(box.width, box.height)), image);
}

/** Lays a patch over a box of the image. The patch's alpha is its opacity; the image keeps its own alpha. */
export async function paste(image: Raster, patch: Raster, box: Box): Promise<Raster> {
  const data = new Uint8Array(image.data);
  const laid = (await resized(patch, box, 'cubic')).data;
  for (let i = 0; i < laid.length; i += 4) {
    const share = laid[i + 3]! / 255;
    const at = (i >> 2) % box.width;
    const to = ((box.y + ((i >> 2) - at) / box.width) * image.width + box.x + at) * 4;
    for (let c = 0; c < 3; c++) data[to + c] = Math.round(data[to + c]! + (laid[i + c]! - data[to + c]!) * share);
  }
  return { ...image, data };
}
