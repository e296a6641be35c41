/** Grades the painted place towards the brief's palette and mood. */
import { each, type Canvas } from './canvas.ts';
import { blend, rampTable, times, type Colour } from './colour.ts';
import type { Brief } from './read/brief.ts';
import { luma } from '../pixels/luma.ts';

export function grade(canvas: Canvas, { moods, palette, paletteStrength }: Brief): void {
  const sepia = moods.has('sepia');
  let [saturation, lift, gain] = [moods.has('vivid') ? 1.4 : 1, 0, 1];
  if (moods.has('muted')) saturation *= 0.6;
  if (moods.has('pastel')) [saturation, lift, gain] = [saturation * 0.8, 0.24, 0.78];
  if (moods.has('dark')) [saturation, gain] = [saturation * 0.8, gain * 0.68];
  if (sepia || moods.has('mono')) saturation = 0;
  const warm = (moods.has('warm') ? 0.06 : 0) - (moods.has('cool') ? 0.06 : 0);
  if (!palette && saturation === 1 && lift === 0 && gain === 1 && warm === 0) return;
  const stops = palette && rampTable(palette, 64);
  each(canvas, (r, g, b) => {
    let c: Colour = [r, g, b];
    if (stops) {
      const l = luma(r, g, b);
      const tone = stops(l * 1.05);
      // Keeps part of the original brightness, so that a palette does not flatten the picture.
      c = blend(c, times(tone, 0.5 + (0.5 * l) / (luma(...tone) || 0.001)), paletteStrength);
    }
    const m = luma(...c);
    if (sepia) return [m * 1.08 + 0.05, m * 0.92 + 0.02, m * 0.72];
    const [cr, cg, cb] = blend([m, m, m], c, saturation);
    return [cr * gain + lift + warm, cg * gain + lift + warm * 0.2, cb * gain + lift - warm];
  });
}
