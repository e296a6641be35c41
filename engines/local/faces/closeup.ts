/** Cuts faces out of an image, and lays changed ones over it. */
import type { Raster } from '../raster.ts';
import type { Face } from '../vision/faces.ts';
import type { Point3 } from '../vision/mesh.ts';
import { type Box, crop, grown, within } from '../pixels/box.ts';
import { resized } from '../pixels/resize.ts';

/** A face cut out, with its points in the cut's pixels. */
export interface Closeup {
  image: Raster;
  points: readonly Point3[];
}

export async function closeup(image: Raster, face: Face, box: Box, zoom: number): Promise<Closeup> {
  const [width, height] = [Math.max(1, Math.round(box.width * zoom)), Math.max(1, Math.round(box.height * zoom))];
  const [across, down] = [width / box.width, height / box.height];
  const points = face.mesh.map(([x, y, z]): Point3 => [(x - box.x) * across, (y - box.y) * down, z * across]);
  return { image: await resized(crop(image, box), { width, height }), points };
}

/** Returns the box with `room` times its size around it, in whole pixels inside the image. */
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
