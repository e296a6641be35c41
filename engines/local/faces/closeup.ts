/** Cuts a face out of its image. */
import type { Raster } from '../raster.ts';
import type { Face } from '../vision/faces.ts';
import type { Point3 } from '../vision/mesh.ts';
import { type Box, crop } from '../pixels/box.ts';
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
