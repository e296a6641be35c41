/** Puts a sprite into the picture so that it belongs there: lit, shaded, hazed, with a shadow or a reflection. */
import { disc, type Canvas } from '../canvas.ts';
import { blend, mixInto, type Colour } from '../colour.ts';
import { grainAt, grainTexture } from '../noise.ts';
import type { Light } from '../paint/light.ts';
import { reliefOf, type Sprite } from './sprite.ts';
import { clamp, smoothstep } from '../../pixels/range.ts';
import { luma } from '../../pixels/luma.ts';

export interface Stamp {
  readonly sprite: Sprite;
  /** Middle of the foot. */
  readonly x: number;
  readonly y: number;
  readonly flip: boolean;
  /** 0 near – 1 far. */
  readonly distance: number;
  readonly tint: Colour | null;
  readonly glows: boolean;
  readonly plane: number;
  /** −1 light from the left, 1 from the right. */
  readonly side: number;
  readonly seed: number;
  /** Part of the height that is under water or snow. */
  readonly sunk: number;
}

/** The colour of every pixel of a sprite under a light, interleaved RGBA 0–1. */
export function shade(stamp: Stamp, light: Light): Float32Array {
  const { sprite, flip, tint, glows, side } = stamp;
  const { width, height, rgba } = sprite;
  const relief = reliefOf(sprite, Math.max(2, Math.min(width, height) * 0.07));
  const grain = grainTexture(stamp.seed, 32, 3);
  const out = new Float32Array(width * height * 4);
  const strength = light.contrast * 1.35;
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const s = (y * width + (flip ? width - 1 - x : x)) * 4;
      const o = (y * width + x) * 4;
      const a = rgba[s + 3]! / 255;
      if (a === 0) continue;
      let c: Colour = [rgba[s]! / 255, rgba[s + 1]! / 255, rgba[s + 2]! / 255];
      const l = luma(...c);
      if (tint)
        c = blend(
          c,
          [tint[0] * (0.25 + l * 1.15), tint[1] * (0.25 + l * 1.15), tint[2] * (0.25 + l * 1.15)],
          tinting(c, l),
        );
      c = blend(c, [l, l, l], 0.1);
      const xl = flip ? width - 1 - x : x;
      const step = Math.max(1, Math.round(Math.min(width, height) * 0.02));
      const at = (px: number, py: number): number =>
        relief[clamp(py, 0, height - 1) * width + clamp(px, 0, width - 1)]!;
      // The slope of the dome points away from the middle: outward is where it falls.
      let nx = at(xl - step, y) - at(xl + step, y);
      if (flip) nx = -nx;
      const ny = at(xl, y - step) - at(xl, y + step);
      const facing = clamp((nx * side * 0.8 - ny * 0.7) * 3.2, -1, 1);
      const g = grainAt(grain, x * 1.3, y * 0.9) - 0.5;
      const low = smoothstep(0.62, 1, y / height) * 0.16;
      const k = 1 + facing * 0.3 * strength + g * 0.2 - low;
      if (glows) {
        out.set([c[0] * 1.1, c[1] * 1.08, c[2] * 1.05, a], o);
        continue;
      }
      // In the dark a little more light falls on what the picture is about.
      const key = light.dark ? 1.28 : 1;
      let lit: Colour = [
        c[0] * light.tint[0] * k * key,
        c[1] * light.tint[1] * k * key,
        c[2] * light.tint[2] * k * key,
      ];
      if (k < 1)
        lit = blend(
          lit,
          [light.shadow[0] * (0.4 + l), light.shadow[1] * (0.4 + l), light.shadow[2] * (0.4 + l)],
          (1 - k) * 0.9,
        );
      const rim = smoothstep(0.35, 0.95, facing) * (light.dark ? 0.4 : 0.22);
      lit = blend(lit, light.sun, rim * light.contrast);
      lit = blend(lit, light.haze, 0.05 + stamp.distance ** 1.3 * 0.72);
      out.set([lit[0], lit[1], lit[2], a], o);
    }
  return out;
}

/** Colour words change the coloured parts; eyes, teeth and white bellies stay. */
function tinting(c: Colour, l: number): number {
  const chroma = Math.max(...c) - Math.min(...c);
  return (0.22 + 0.56 * smoothstep(0.06, 0.28, chroma)) * (l > 0.9 || l < 0.12 ? 0.25 : 1);
}

export function paintStamp(canvas: Canvas, stamp: Stamp, light: Light, pixels: Float32Array): void {
  const { width, height } = stamp.sprite;
  const x0 = Math.round(stamp.x - width / 2);
  const y0 = Math.round(stamp.y - height * (1 - stamp.sunk));
  const shown = Math.round(height * (1 - stamp.sunk));
  if (stamp.glows)
    disc(canvas, stamp.x, stamp.y - height / 2, height * 1.6, [1, 0.72, 0.36], light.dark ? 0.5 : 0.22, 0);
  for (let y = 0; y < shown; y++) {
    const py = y0 + y;
    if (py < 0 || py >= canvas.height) continue;
    for (let x = 0; x < width; x++) {
      const px = x0 + x;
      if (px < 0 || px >= canvas.width) continue;
      const o = (y * width + x) * 4;
      const a = pixels[o + 3]!;
      if (a <= 0) continue;
      const i = py * canvas.width + px;
      mixInto(
        canvas.rgb,
        i * 3,
        [pixels[o]!, pixels[o + 1]!, pixels[o + 2]!],
        canvas.alpha && canvas.alpha[i] === 0 ? 1 : a,
      );
      if (a > 0.5) canvas.plane[i] = stamp.plane;
      if (canvas.alpha) canvas.alpha[i] = canvas.alpha[i]! + (1 - canvas.alpha[i]!) * a;
    }
  }
}

/** Where a thing meets the ground; longer when the lamp stands low. */
export function paintShadow(canvas: Canvas, stamp: Stamp, light: Light): void {
  const { width, height } = stamp.sprite;
  const rx = width * 0.52;
  const ry = Math.max(2, Math.min(width, height) * 0.085);
  const cx = stamp.x - stamp.side * width * 0.12;
  const reach = 1.5;
  for (let y = Math.floor(stamp.y - ry * reach); y < stamp.y + ry * reach; y++)
    for (let x = Math.floor(cx - rx * reach); x < cx + rx * reach; x++) {
      if (x < 0 || y < 0 || x >= canvas.width || y >= canvas.height) continue;
      const d = Math.hypot((x - cx) / rx, (y - stamp.y + ry * 0.25) / ry);
      const a = smoothstep(1.35, 0.15, d) * (0.62 - 0.3 * stamp.distance);
      if (a > 0) mixInto(canvas.rgb, (y * canvas.width + x) * 3, blend(light.shadow, [0, 0, 0], 0.35), a);
    }
}

/** The mirror image in water, broken by ripples. */
export function paintReflection(canvas: Canvas, stamp: Stamp, light: Light, pixels: Float32Array): void {
  const { width, height } = stamp.sprite;
  const grain = grainTexture(stamp.seed + 1, 16, 3);
  const shown = Math.round(height * (1 - stamp.sunk));
  for (let y = 0; y < shown * 0.85; y++) {
    const py = Math.round(stamp.y) + y;
    if (py >= canvas.height) return;
    const fade = (1 - y / shown) * 0.5;
    for (let x = -4; x < width + 4; x++) {
      const wave = (grainAt(grain, x * 0.25, (y * 260) / shown) - 0.5) * (3 + (y / shown) * width * 0.16);
      const sx = Math.round(x + wave);
      const px = Math.round(stamp.x - width / 2) + x;
      if (sx < 0 || sx >= width || px < 0 || px >= canvas.width) continue;
      const o = ((shown - 1 - Math.floor(y * 1.12)) * width + sx) * 4;
      const a = (pixels[o + 3] ?? 0) * fade;
      if (a > 0)
        mixInto(
          canvas.rgb,
          (py * canvas.width + px) * 3,
          blend([pixels[o]! * 0.8, pixels[o + 1]! * 0.85, pixels[o + 2]! * 0.9], light.haze, 0.12),
          a,
        );
    }
  }
  for (let x = -6; x < width + 6; x++) {
    const px = Math.round(stamp.x - width / 2) + x;
    const edge = Math.min(1, Math.min(x + 6, width + 6 - x) / (width * 0.25));
    const foam = grainAt(grain, x * 1.7, 40);
    const py = Math.round(stamp.y + (foam - 0.5) * 4 * canvas.unit);
    if (px >= 0 && px < canvas.width)
      disc(canvas, px, py, canvas.unit * (0.8 + 2.2 * foam), foam > 0.5 ? light.cloud : light.shadow, 0.4 * edge, 0.5);
  }
}
