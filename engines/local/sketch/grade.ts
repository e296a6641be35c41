/** Grades the painted place towards the brief's palette and mood. */
import type { Canvas } from './canvas.ts';
import { ramp } from './colour.ts';
import type { Brief } from './read/brief.ts';
import { clamp } from '../pixels/range.ts';
import { luma } from '../pixels/luma.ts';

export function grade(canvas: Canvas, brief: Brief): void {
  const { rgb } = canvas;
  const { moods, palette, paletteStrength } = brief;
  const mono = moods.has('mono') || moods.has('sepia');
  let saturation = 1;
  let lift = 0;
  let gain = 1;
  if (moods.has('vivid')) saturation *= 1.4;
  if (moods.has('muted')) saturation *= 0.6;
  if (moods.has('pastel')) [saturation, lift, gain] = [saturation * 0.8, 0.24, 0.78];
  if (moods.has('dark')) [saturation, gain] = [saturation * 0.8, gain * 0.68];
  const warm = (moods.has('warm') ? 0.06 : 0) - (moods.has('cool') ? 0.06 : 0);
  if (!palette && !mono && saturation === 1 && lift === 0 && gain === 1 && warm === 0) return;
  const stops = palette ? Array.from({ length: 64 }, (_, i) => ramp(palette, i / 63)) : null;
  for (let p = 0; p < rgb.length; p += 3) {
    let [r, g, b] = [rgb[p]!, rgb[p + 1]!, rgb[p + 2]!];
    const l = luma(r, g, b);
    if (stops) {
      const c = stops[Math.round(clamp(l * 1.05) * 63)]!;
      const cl = luma(...c) || 0.001;
      // Keeps part of the place's own light, so that a palette does not flatten it.
      const k = 0.5 + 0.5 * (l / cl);
      r += (c[0] * k - r) * paletteStrength;
      g += (c[1] * k - g) * paletteStrength;
      b += (c[2] * k - b) * paletteStrength;
    }
    const m = luma(r, g, b);
    const s = mono ? 0 : saturation;
    rgb[p] = (m + (r - m) * s) * gain + lift + warm;
    rgb[p + 1] = (m + (g - m) * s) * gain + lift + warm * 0.2;
    rgb[p + 2] = (m + (b - m) * s) * gain + lift - warm;
    if (moods.has('sepia')) [rgb[p], rgb[p + 1], rgb[p + 2]] = [m * 1.08 + 0.05, m * 0.92 + 0.02, m * 0.72];
  }
}
