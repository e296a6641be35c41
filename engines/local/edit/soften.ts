/** An even blur of the whole picture, and blocks instead of pixels. */
import { blur } from '../pixels/blur.ts';
import type { Raster } from '../raster.ts';
import { enlargedRows } from '../pixels/plane.ts';
import { resized } from '../pixels/resize.ts';

/** @param sigma pixels */
export async function blurred(raster: Raster, sigma: number): Promise<Raster> {
  const { width, height } = raster;
  const scale = Math.min(1, 3 / sigma);
  const [w, h] = [Math.max(2, Math.round(width * scale)), Math.max(2, Math.round(height * scale))];
  const small = await resized(raster, { width: w, height: h });
  const floats = new Float32Array(small.data.length);
  for (let i = 0; i < floats.length; i += 4) {
    const weight = small.data[i + 3]! / 255;
    for (let k = 0; k < 3; k++) floats[i + k] = small.data[i + k]! * weight;
    floats[i + 3] = weight;
  }
  const soft = blur(floats, w, h, 4, Math.max(1, sigma * scale));
  const row = enlargedRows({ width: w, height: h, channels: 4, data: soft }, raster);
  const data = new Uint8Array(raster.data.length);
  for (let y = 0; y < height; y++) {
    const line = row(y);
    for (let x = 0; x < width; x++) {
      const o = (y * width + x) * 4;
      const weight = line[x * 4 + 3]!;
      for (let k = 0; k < 3; k++) data[o + k] = weight > 0 ? Math.round(line[x * 4 + k]! / weight) : 0;
      data[o + 3] = Math.round(weight * 255);
    }
  }
  return { ...raster, data };
}

/** @param block pixels */
export async function pixelated(raster: Raster, block: number): Promise<Raster> {
  const [w, h] = [Math.max(1, Math.round(raster.width / block)), Math.max(1, Math.round(raster.height / block))];
  const small = await resized(raster, { width: w, height: h }, 'linear');
  return resized(small, raster, 'nearest');
}
