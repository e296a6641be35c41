/** Changes a photograph's light to the prompt's time of day, from a side that the seed chooses. */
import type { Canvas } from '../sketch/canvas.ts';
import { clamp, smoothstep } from '../pixels/range.ts';
import { luma, lumaOf } from '../pixels/luma.ts';
import { blur } from '../pixels/blur.ts';
import type { Light } from '../sketch/paint/light.ts';
import type { Stage } from '../sketch/paint/stage.ts';

/** Colours and darkens the picture as a time of day does; lamps and windows stay bright in the dark. */
export function relight(canvas: Canvas, light: Light, amount: number): void {
  const { rgb, width, height } = canvas;
  const grey = lumaOf(canvas.rgb);
  const around = blur(grey, width, height, 1, 40 * canvas.unit);
  const gain = light.dark ? 0.86 : 1.02;
  for (let i = 0, p = 0; p < rgb.length; i++, p += 3) {
    const l = grey[i]!;
    // A pixel much brighter than its surroundings is a lamp.
    const lamp = light.dark ? smoothstep(0.2, 0.5, l - around[i]!) * smoothstep(0.6, 0.9, l) * 0.7 : 0;
    const shade = (1 - smoothstep(0, 0.6, l)) * (light.dark ? 0.62 : 0.26);
    const keep = light.dark ? 0.66 : 1;
    for (let c = 0; c < 3; c++) {
      const own = l + (rgb[p + c]! - l) * keep;
      const tinted = own * light.tint[c]! * gain;
      const lit = tinted + (light.shadow[c]! * (0.35 + 0.65 * l) - tinted) * shade;
      const seen = lit + (rgb[p + c]! * 1.05 - lit) * lamp;
      rgb[p + c] = rgb[p + c]! + (seen - rgb[p + c]!) * amount;
    }
  }
}

/** Lights the forms from one side. `angle` is in radians, 0 from the right. */
export function model(canvas: Canvas, angle: number, warmth: number, amount: number): void {
  const { rgb, width, height, unit } = canvas;
  const form = blur(lumaOf(canvas.rgb), width, height, 1, 9 * unit);
  const [lx, ly] = [Math.cos(angle), Math.sin(angle)];
  const step = Math.max(1, Math.round(3 * unit));
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const i = y * width + x;
      const right = form[y * width + Math.min(width - 1, x + step)]!;
      const left = form[y * width + Math.max(0, x - step)]!;
      const below = form[Math.min(height - 1, y + step) * width + x]!;
      const above = form[Math.max(0, y - step) * width + x]!;
      // Bright areas are assumed to stand out, so their side towards the light is lit.
      const slope = clamp(-((right - left) * lx + (below - above) * ly) * 5, -1, 1);
      const fall = ((x / width) * 2 - 1) * lx + ((y / height) * 2 - 1) * ly;
      const k = amount * (slope * 0.34 + fall * 0.22);
      const p = i * 3;
      rgb[p] = rgb[p]! * (1 + k * (1 + warmth));
      rgb[p + 1] = rgb[p + 1]! * (1 + k);
      rgb[p + 2] = rgb[p + 2]! * (1 + k * (1 - warmth));
    }
}

/** Adds the glow of a low sun or of the moon to the whole picture. */
export function glow({ canvas, light, lamp }: Stage, amount: number): void {
  const { rgb, width, height } = canvas;
  const reach = Math.max(width, height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const d = Math.hypot(x - lamp.x, y - lamp.y) / reach;
      const a = Math.exp(-d * 3.2) * amount;
      const p = (y * width + x) * 3;
      const l = clamp(luma(rgb[p]!, rgb[p + 1]!, rgb[p + 2]!));
      for (let c = 0; c < 3; c++) rgb[p + c] = rgb[p + c]! + (light.sun[c]! - rgb[p + c]!) * a * (0.35 + 0.65 * l);
    }
}

/** Compresses highlights instead of clipping them, as film does. */
export function shoulder({ rgb }: Canvas): void {
  const knee = 0.82;
  const rest = 1 - knee;
  for (let p = 0; p < rgb.length; p++) {
    const v = rgb[p]!;
    if (v > knee) rgb[p] = knee + rest * (1 - Math.exp((knee - v) / rest));
  }
}
