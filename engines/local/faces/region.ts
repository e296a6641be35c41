/** Regions around faces, and patches laid over them. */
import type { Raster } from '../raster.ts';
import { type Box, grown, within } from '../pixels/box.ts';
import { clamp, toByte } from '../pixels/range.ts';
import { sampled } from '../pixels/resample.ts';

/** Returns the box with `room` times its size around it, in whole pixels inside of the image. */
export function around(box: Box, room: number, image: Raster): Box {
  return within(grown(box, room * Math.max(box.width, box.height)), image);
}

/** Lays a patch over a box of the image. The patch's alpha is its opacity; the image keeps its own alpha. */
export function paste(image: Raster, patch: Raster, box: Box): Raster {
  const data = new Uint8Array(image.data);
  const count = box.width * box.height;
  const x = Float32Array.from({ length: count }, (_, i) => (((i % box.width) + 0.5) * patch.width) / box.width);
  const y = x.map((_, i) => ((Math.floor(i / box.width) + 0.5) * patch.height) / box.height);
  const colours = sampled(patch, x, y, box.width);
  for (let i = 0; i < count; i++) {
    if (patch.data[(Math.floor(y[i]!) * patch.width + Math.floor(x[i]!)) * 4 + 3] === 0) continue;
    const to = ((box.y + Math.floor(i / box.width)) * image.width + box.x + (i % box.width)) * 4;
    const share = clamp(colours[i * 4 + 3]! / 255);
    for (let c = 0; c < 3; c++)
      data[to + c] = toByte(data[to + c]! * (1 - share) + clamp(colours[i * 4 + c]!, 0, 255) * share);
  }
  return { ...image, data };
}
