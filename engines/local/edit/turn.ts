/** Quarter turns and mirrors, pixel for pixel, and turns by any angle. */
import sharp, { type Sharp } from 'sharp';
import { clamp, toByte } from '../pixels/range.ts';
import { type Raster, refuseResult } from '../raster.ts';

type Channels = 1 | 4;

const opened = <C extends Channels>({ width, height, channels, data }: Raster<C>): Sharp =>
  sharp(data, { raw: { width, height, channels }, limitInputPixels: false });

async function read<C extends Channels>(image: Sharp, channels: C): Promise<Raster<C>> {
  const { data, info } = await image
    .toColourspace(channels === 1 ? 'b-w' : 'srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, channels, data };
}

/** @param turns quarter turns clockwise */
export function quarterTurned<C extends Channels>(raster: Raster<C>, turns: number): Promise<Raster<C>> {
  return read(opened(raster).rotate((((turns % 4) + 4) % 4) * 90), raster.channels);
}

export function flipped<C extends Channels>(raster: Raster<C>, axis: 'horizontal' | 'vertical'): Promise<Raster<C>> {
  const image = opened(raster);
  return read(axis === 'horizontal' ? image.flop() : image.flip(), raster.channels);
}

/** Bicubic. The frame grows to hold all of it; its new corners are 0, so transparent, or go on with the picture's reflection. */
export function turned<C extends 1 | 4>(
  { width, height, channels, data }: Raster<C>,
  degrees: number,
  corners: 'empty' | 'mirrored' = 'empty',
): Raster<C> {
  const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
  const w = Math.round(Math.abs(width * cos) + Math.abs(height * sin));
  const h = Math.round(Math.abs(width * sin) + Math.abs(height * cos));
  refuseResult({ width: w, height: h }, 'png');
  const out = new Uint8Array(w * h * channels);
  const [wx, wy] = [new Float64Array(4), new Float64Array(4)];
  for (let y = 0; y < h; y++)
    for (let x = 0; x < w; x++) {
      const [dx, dy] = [x + 0.5 - w / 2, y + 0.5 - h / 2];
      let sx = dx * cos + dy * sin + width / 2 - 0.5;
      let sy = -dx * sin + dy * cos + height / 2 - 0.5;
      if (corners === 'mirrored') [sx, sy] = [folded(sx, width), folded(sy, height)];
      if (sx < -0.5 || sy < -0.5 || sx > width - 0.5 || sy > height - 0.5) continue;
      const [x0, y0] = [Math.floor(sx), Math.floor(sy)];
      cubic(sx - x0, wx);
      cubic(sy - y0, wy);
      const o = (y * w + x) * channels;
      for (let k = 0; k < channels; k++) {
        let sum = 0;
        for (let j = 0; j < 4; j++) {
          const line = clamp(y0 - 1 + j, 0, height - 1) * width;
          for (let i = 0; i < 4; i++) {
            sum += wy[j]! * wx[i]! * data[(line + clamp(x0 - 1 + i, 0, width - 1)) * channels + k]!;
          }
        }
        out[o + k] = toByte(sum);
      }
    }
  return { width: w, height: h, channels, data: out };
}

/** Positions beyond an edge, reflected at it. */
const folded = (n: number, size: number): number => (n < -0.5 ? -1 - n : n > size - 0.5 ? 2 * size - 1 - n : n);

/** Catmull-Rom. */
function cubic(t: number, w: Float64Array): void {
  w[0] = t * (-0.5 + t * (1 - 0.5 * t));
  w[1] = 1 + t * t * (1.5 * t - 2.5);
  w[2] = t * (0.5 + t * (2 - 1.5 * t));
  w[3] = t * t * (0.5 * t - 0.5);
}

/** The largest upright frame within a turned one. */
export function uprightWithin(width: number, height: number, degrees: number): { width: number; height: number } {
  const angle = (Math.abs(degrees) * Math.PI) / 180;
  const [sin, cos] = [Math.abs(Math.sin(angle)), Math.abs(Math.cos(angle))];
  const [long, short] = [Math.max(width, height), Math.min(width, height)];
  if (short <= 2 * sin * cos * long || Math.abs(sin - cos) < 1e-9) {
    const half = short / 2;
    const [a, b] = width >= height ? [half / sin, half / cos] : [half / cos, half / sin];
    return { width: Math.floor(a), height: Math.floor(b) };
  }
  const across = cos * cos - sin * sin;
  return {
    width: Math.floor((width * cos - height * sin) / across),
    height: Math.floor((height * cos - width * sin) / across),
  };
}
