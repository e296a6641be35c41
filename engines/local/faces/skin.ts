/** Reads the tone of a face's skin where skin is visible. */
import type { Raster } from '../raster.ts';
import type { Point3 } from '../vision/mesh.ts';
import { clearances, depths, facing } from './anatomy.ts';
import { toLuma } from './planes.ts';
import { fitTone, type Luma, type Sight, type Tone } from './tone.ts';
import { topology } from './topology.ts';

export function skinTone(image: Raster, points: readonly Point3[]): Tone {
  const [near, deep, seen] = [clearances(), depths(), facing(points)];
  const skin = points.map((_, k) => near[k]! > 0.03 && deep[k]! > 0.035 && seen[k]! > 0.25);
  const sights = [...looks(image, points, skin)];
  // A face that the image cuts off may have too few samples.
  return fitTone(sights.length >= 24 ? sights : [...looks(image, points, skin.fill(true))]);
}

/** Samples the middle of each triangle between points of skin. */
function* looks(image: Raster, points: readonly Point3[], skin: readonly boolean[]): Generator<Sight> {
  const { triangles, flat } = topology();
  for (let t = 0; t < triangles.length; t += 3) {
    const corners = triangles.slice(t, t + 3);
    if (!corners.every((corner) => skin[corner])) continue;
    const [x, y] = [0, 1].map((k) => corners.reduce((sum, corner) => sum + points[corner]![k]!, 0) / 3);
    const [u, v] = [0, 1].map((k) => corners.reduce((sum, corner) => sum + flat[corner]![k]!, 0) / 3);
    const colour = look(image, Math.floor(x!), Math.floor(y!));
    if (colour) yield { u: u!, v: v!, colour };
  }
}

/** Returns the mean of 3 × 3 pixels, which evens out pores and grain. */
function look({ data, width, height }: Raster, x: number, y: number): Luma | null {
  if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1) return null;
  const colour = new Float64Array(3);
  for (let k = 0; k < 9; k++) {
    const at = ((y - 1 + Math.floor(k / 3)) * width + x - 1 + (k % 3)) * 4;
    for (let c = 0; c < 3; c++) colour[c]! += data[at + c]! / (9 * 255);
  }
  toLuma(colour);
  return [colour[0]!, colour[1]!, colour[2]!];
}
