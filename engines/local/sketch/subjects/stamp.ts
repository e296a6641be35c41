/** Paints a sprite into the picture: lit, shaded and hazed to match, with a shadow or a reflection. */
import { type Canvas, disc, eachWithin } from '../canvas.ts';
import { blend, times, type Colour } from '../colour.ts';
import { grainAt, grainTexture } from '../noise.ts';
import type { Light } from '../paint/light.ts';
import { boxBlurInZeros } from '../../pixels/blur.ts';
import { clamp, smoothstep } from '../../pixels/range.ts';
import { luma } from '../../pixels/luma.ts';
import type { Raster } from '../../raster.ts';

/** How a sprite is lit. */
export interface Shading {
  readonly sprite: Raster;
  readonly flip: boolean;
  /** 0 near – 1 far. */
  readonly distance: number;
  readonly tint: Colour | null;
  readonly glows: boolean;
  /** −1 if the light comes from the left, 1 if it comes from the right. */
  readonly side: number;
  readonly seed: number;
}

export interface Stamp extends Shading {
  /** Position of the middle of the foot. */
  readonly x: number;
  readonly y: number;
  readonly plane: number;
  /** Share of the height that is under water or snow. */
  readonly sunk: number;
}

/** Returns the colour of every pixel of a sprite under a light, interleaved RGBA 0–1. */
export function shade({ sprite, flip, tint, glows, side, seed, distance }: Shading, light: Light): Float32Array {
  const { width, height, data } = sprite;
  const small = Math.min(width, height);
  // The blurred alpha serves as a relief, whose slope gives light and shade.
  const alpha = new Float32Array(width * height).map((_, i) => data[i * 4 + 3]! / 255);
  const relief = boxBlurInZeros(alpha, width, height, Math.max(2, Math.round(small * 0.07)), 2);
  const reach = Math.max(1, Math.round(small * 0.02));
  const at = (x: number, y: number) => relief[clamp(y, 0, height - 1) * width + clamp(x, 0, width - 1)]!;
  const grain = grainTexture(seed, 32, 3);
  const out = new Float32Array(width * height * 4);
  // Subjects get a little more light in the dark, so that they stay visible.
  const fill = times(light.tint, light.dark ? 1.28 : 1);
  const [rimmed, hazed] = [light.dark ? 0.4 : 0.22, 0.05 + distance ** 1.3 * 0.72];
  for (let y = 0, o = 0; y < height; y++) {
    const low = smoothstep(0.62, 1, y / height) * 0.16;
    for (let x = 0; x < width; x++, o += 4) {
      const own = flip ? width - 1 - x : x;
      const s = (y * width + own) * 4;
      if (data[s + 3] === 0) continue;
      let c: Colour = [data[s]! / 255, data[s + 1]! / 255, data[s + 2]! / 255];
      const l = luma(...c);
      // A tint hardly colours gray, and very light and very dark parts such as teeth and eyes.
      const chroma = Math.max(...c) - Math.min(...c);
      const tinting = l > 0.9 || l < 0.12 ? 0.15 : 0.22 + 0.56 * smoothstep(0.06, 0.28, chroma);
      if (tint) c = blend(c, times(tint, 0.25 + l * 1.15), tinting);
      c = blend(c, [l, l, l], 0.1);
      if (glows) c = times(c, [1.1, 1.08, 1.05]);
      else {
        const across = (at(own - reach, y) - at(own + reach, y)) * (flip ? -side : side);
        const down = at(own, y - reach) - at(own, y + reach);
        const facing = clamp((across * 0.8 - down * 0.7) * 3.2, -1, 1);
        const k = 1 + facing * 0.405 * light.contrast + (grainAt(grain, x * 1.3, y * 0.9) - 0.5) * 0.2 - low;
        c = times(c, times(fill, k));
        if (k < 1) c = blend(c, times(light.shadow, 0.4 + l), (1 - k) * 0.9);
        c = blend(c, light.sun, smoothstep(0.35, 0.95, facing) * rimmed * light.contrast);
        c = blend(c, light.haze, hazed);
      }
      for (let k = 0; k < 3; k++) out[o + k] = c[k]!;
      out[o + 3] = data[s + 3]! / 255;
    }
  }
  return out;
}

export function paintStamp(canvas: Canvas, stamp: Stamp, light: Light, pixels: Float32Array): void {
  const { alpha, plane } = canvas;
  const { width, height } = stamp.sprite;
  const shown = height * (1 - stamp.sunk);
  const [left, top] = [Math.round(stamp.x - width / 2), Math.round(stamp.y - shown)];
  if (stamp.glows)
    disc(canvas, stamp.x, stamp.y - height / 2, height * 1.6, [1, 0.72, 0.36], light.dark ? 0.5 : 0.22, 0);
  eachWithin(canvas, top, top + Math.round(shown), (r, g, b, px, py, i) => {
    const x = px - left;
    const o = ((py - top) * width + x) * 4;
    const a = x >= 0 && x < width ? pixels[o + 3]! : 0;
    if (a <= 0) return null;
    const share = alpha && alpha[i] === 0 ? 1 : a;
    if (a > 0.5) plane[i] = stamp.plane;
    if (alpha) alpha[i] = alpha[i]! + (1 - alpha[i]!) * a;
    return blend([r, g, b], [pixels[o]!, pixels[o + 1]!, pixels[o + 2]!], share);
  });
}

/** Paints the shadow where a thing meets the ground, away from the lamp. */
export function paintShadow(canvas: Canvas, { sprite, x, y, side, distance }: Stamp, light: Light): void {
  const rx = sprite.width * 0.52;
  const ry = Math.max(2, Math.min(sprite.width, sprite.height) * 0.085);
  const cx = x - side * sprite.width * 0.12;
  const dark = blend(light.shadow, [0, 0, 0], 0.35);
  eachWithin(canvas, y - ry * 1.6, y + ry * 1.5, (r, g, b, px, py) => {
    const d = Math.sqrt(((px - cx) / rx) ** 2 + ((py - y) / ry + 0.25) ** 2);
    return d < 1.35 ? blend([r, g, b], dark, smoothstep(1.35, 0.15, d) * (0.62 - 0.3 * distance)) : null;
  });
}

/** Paints the mirror image in water, broken by ripples. */
export function paintReflection(canvas: Canvas, stamp: Stamp, light: Light, pixels: Float32Array): void {
  const { width, height } = stamp.sprite;
  const grain = grainTexture(stamp.seed + 1, 16, 3);
  const shown = Math.round(height * (1 - stamp.sunk));
  const left = Math.round(stamp.x - width / 2);
  eachWithin(canvas, Math.round(stamp.y), Math.round(stamp.y) + shown * 0.85, (r, g, b, px, py) => {
    const [x, y] = [px - left, py - Math.round(stamp.y)];
    if (x < -4 || x >= width + 4) return null;
    const wave = (grainAt(grain, x * 0.25, (y * 260) / shown) - 0.5) * (3 + (y / shown) * width * 0.16);
    const column = Math.round(x + wave);
    const o = ((shown - 1 - Math.floor(y * 1.12)) * width + column) * 4;
    const a = column >= 0 && column < width ? (pixels[o + 3] ?? 0) * (1 - y / shown) * 0.5 : 0;
    if (a <= 0) return null;
    const mirrored = times([pixels[o]!, pixels[o + 1]!, pixels[o + 2]!], [0.8, 0.85, 0.9]);
    return blend([r, g, b], blend(mirrored, light.haze, 0.12), a);
  });
}
