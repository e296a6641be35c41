/** Blurs as a lens does: spreads light over discs, but only the background's light, so that the subject leaves no halo. */
import type { Raster } from '../raster.ts';
import { inOpenCv } from '../pixels/opencv.ts';
import { enlargedRows, type Samples } from '../pixels/plane.ts';
import { resized } from '../pixels/resize.ts';
import { clamp } from '../pixels/range.ts';
import { lattice } from '../sketch/noise.ts';

/** Radius of the disc at the reduced size, where it is large enough to hide the reduction. */
const smallRadius = 11;

/** @param subject stays sharp; null blurs everything */
export async function defocused(raster: Raster, subject: Raster<1> | null, amount: number): Promise<Raster> {
  const { width, height } = raster;
  const radius = Math.max(1, Math.min(0.06, amount * 0.026) * Math.max(width, height));
  const scale = Math.min(1, smallRadius / radius);
  const [w, h] = [Math.max(2, Math.round(width * scale)), Math.max(2, Math.round(height * scale))];
  // The subject is transparent here, from 80 % (204) of its mask on, so that it gives no light.
  const weighted = raster.data.map((value, i) =>
    i % 4 === 3 && subject ? value * clamp(1 - subject.data[i >> 2]! / 204) : value,
  );
  const small = await resized({ ...raster, data: weighted }, { width: w, height: h });
  const near = spread(inLight(small), radius * scale);
  const row = enlargedRows(near, raster);
  const data = new Uint8Array(raster.data);
  for (let y = 0; y < height; y++) {
    const light = row(y);
    for (let x = 0; x < width; x++) {
      const i = y * width + x;
      const sharp = subject ? subject.data[i]! / 255 : 0;
      const weight = light[x * 4 + 3]!;
      if (sharp >= 1 || weight <= 0) continue;
      const dither = lattice(x, y, 7) - 0.5;
      for (let k = 0; k < 3; k++) {
        const blurred = 255 * Math.sqrt(light[x * 4 + k]! / weight) + dither;
        data[i * 4 + k] = Math.round(clamp(blurred + (data[i * 4 + k]! - blurred) * sharp, 0, 255));
      }
    }
  }
  return { ...raster, data };
}

/** Returns squared values, which are nearly linear light, premultiplied. */
function inLight({ width, height, data }: Raster): Samples {
  const out = new Float32Array(data.length);
  for (let i = 0; i < data.length; i += 4) {
    const weight = data[i + 3]! / 255;
    for (let k = 0; k < 3; k++) out[i + k] = (data[i + k]! / 255) ** 2 * weight;
    out[i + 3] = weight;
  }
  return { width, height, channels: 4, data: out };
}

/** Returns the sums over discs, which the sum of the weights divides later. Pixels beyond the edges have no weight. */
function spread({ width, height, channels, data }: Samples, radius: number): Samples {
  const reach = Math.round(radius);
  const side = 2 * reach + 1;
  const disc = Float32Array.from({ length: side * side }, (_, i) =>
    Math.hypot((i % side) - reach, Math.floor(i / side) - reach) <= radius + 0.5 ? 1 : 0,
  );
  return inOpenCv(({ cv, floats }) => {
    const mat = floats(data, width, height, channels);
    cv.filter2D(mat, mat, -1, floats(disc, side, side), new cv.Point(-1, -1), 0, cv.BORDER_CONSTANT);
    return { width, height, channels, data: mat.data32F.slice() };
  });
}
