/** Changes a photograph's light to the prompt's time of day, from a side that the seed chooses. */
import { blur } from '../pixels/blur.ts';
import { luma, lumaOf } from '../pixels/luma.ts';
import { clamp, smoothstep } from '../pixels/range.ts';
import { type Canvas, each } from '../sketch/canvas.ts';
import { blend, times } from '../sketch/colour.ts';
import type { Light } from '../sketch/paint/light.ts';
import type { Stage } from '../sketch/paint/stage.ts';
import type { Random } from '../sketch/random.ts';

/** Colours and darkens the picture as a time of day does; lamps and windows stay bright in the dark. */
export function relight(canvas: Canvas, { dark, tint, shadow }: Light, amount: number): void {
  const grey = lumaOf(canvas.rgb);
  const around = blur(grey, canvas.width, canvas.height, 1, 40 * canvas.unit);
  const [gain, colourful, deepest] = dark ? [0.86, 0.66, 0.62] : [1.02, 1, 0.26];
  each(canvas, (r, g, b, _x, _y, i) => {
    const l = grey[i]!;
    const tinted = times(times(blend([l, l, l], [r, g, b], colourful), tint), gain);
    const lit = blend(tinted, times(shadow, 0.35 + 0.65 * l), (1 - smoothstep(0, 0.6, l)) * deepest);
    // A pixel much brighter than its surroundings counts as a lamp.
    const lamp = dark ? smoothstep(0.2, 0.5, l - around[i]!) * smoothstep(0.6, 0.9, l) * 0.7 : 0;
    return blend([r, g, b], blend(lit, times([r, g, b], 1.05), lamp), amount);
  });
}

/** Lights the forms from one side, mostly from above. */
export function model(canvas: Canvas, random: Random, amount: number): void {
  const { width, height, unit } = canvas;
  const angle = random.between(-Math.PI * 0.98, -Math.PI * 0.02);
  const warmth = random.between(-0.12, 0.3);
  const [lx, ly] = [Math.cos(angle), Math.sin(angle)];
  const step = Math.max(1, Math.round(3 * unit));
  const form = blur(lumaOf(canvas.rgb), width, height, 1, 9 * unit);
  const at = (x: number, y: number) => form[clamp(y, 0, height - 1) * width + clamp(x, 0, width - 1)]!;
  each(canvas, (r, g, b, x, y) => {
    // Bright areas are assumed to stand out, so their side towards the light is lit.
    const across = (at(x + step, y) - at(x - step, y)) * lx;
    const down = (at(x, y + step) - at(x, y - step)) * ly;
    const fall = ((x / width) * 2 - 1) * lx + ((y / height) * 2 - 1) * ly;
    const k = amount * (clamp((across + down) * -5, -1, 1) * 0.34 + fall * 0.22);
    return [r * (1 + k * (1 + warmth)), g * (1 + k), b * (1 + k * (1 - warmth))];
  });
}

/** Adds the glow of a low sun or of the moon to the whole picture. */
export function glow({ canvas, light, lamp }: Stage, amount: number): void {
  const reach = Math.max(canvas.width, canvas.height);
  each(canvas, (r, g, b, x, y) => {
    const distance = Math.hypot(x - lamp.x, y - lamp.y) / reach;
    const glowing = Math.exp(-distance * 3.2) * amount * (0.35 + 0.65 * clamp(luma(r, g, b)));
    return blend([r, g, b], light.sun, glowing);
  });
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
