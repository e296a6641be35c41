/** Removes fine detail and keeps outlines with Kuwahara's filter, in bands, which limits memory. */
import { kuwahara } from '../sketch/filters/kuwahara.ts';
import type { Surface } from './surface.ts';

const band = 256;

/** @param radius in pixels of the size at which styles are measured; fractions are mixed in by opacity */
export function smoothed(surface: Surface, radius: number): Surface {
  const { width, height, rgb, unit } = surface;
  const wanted = radius * unit;
  if (wanted < 0.25) return surface;
  const r = Math.max(1, Math.round(wanted));
  const opacity = Math.min(1, wanted / r);
  const out = new Float32Array(rgb.length);
  for (let top = 0; top < height; top += band) {
    const [first, last] = [Math.max(0, top - r), Math.min(height, top + band + r)];
    const part = { width, height: last - first, rgb: rgb.slice(first * width * 3, last * width * 3) };
    kuwahara(part, r);
    const end = Math.min(height, top + band);
    for (let p = top * width * 3, q = (top - first) * width * 3; p < end * width * 3; p++, q++)
      out[p] = rgb[p]! + (part.rgb[q]! - rgb[p]!) * opacity;
  }
  return { width, height, rgb: out, unit };
}
