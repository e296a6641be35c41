/** Gives an object another colour and keeps its light and texture. */
import type { Raster } from '../raster.ts';
import type { Tone } from './edits.ts';
import { fromOklab, oklab } from '../oklab.ts';
import { clamp, smoothstep } from '../pixels/range.ts';

/** The overall look of an object. */
interface Character {
  light: number;
  chroma: number;
  /** Direction of its colour; null for a gray object. */
  hue: readonly [number, number] | null;
}

export function recoloured(raster: Raster, mask: Raster<1>, colour: Tone): Raster {
  const own = characterOf(raster, mask);
  const [light, a, b] = oklab(colour);
  const chroma = Math.hypot(a, b);
  // White and black are reached by lightness; other colours take only part of the target's lightness.
  const pull = chroma < 0.04 ? 0.85 : 0.5;
  const data = new Uint8Array(raster.data);
  const cache = new Map<number, readonly [number, number, number]>();
  for (let i = 0; i < mask.data.length; i++) {
    const cover = mask.data[i]! / 255;
    if (cover === 0) continue;
    const o = i * 4;
    const key = (data[o]! << 16) | (data[o + 1]! << 8) | data[o + 2]!;
    let to = cache.get(key);
    if (!to) {
      const [L, pa, pb] = oklab([data[o]! / 255, data[o + 1]! / 255, data[o + 2]! / 255]);
      const share = belongs(own, pa, pb);
      // Differences of light shrink towards black and white, which leave no room for them.
      const room = chroma < 0.04 ? (light > own.light ? 0.75 : 0.7) : 0.95;
      const lit = clamp(own.light + (light - own.light) * pull + (L - own.light) * room);
      // A highlight has the light's colour, not the object's; a deep shadow has hardly any colour.
      const gleam = smoothstep(0.86, 0.985, L) * smoothstep(0.08, 0.3, L - own.light);
      const shade = Math.min(1.15, 0.35 + (0.65 * lit) / Math.max(0.2, light)) * smoothstep(0.02, 0.25, lit);
      const pale = own.hue ? Math.min(1.1, 0.55 + (0.45 * Math.hypot(pa, pb)) / own.chroma) : 1;
      const k = 0.9 * (1 - gleam) * shade * pale;
      const rgb = fromOklab([L + (lit - L) * share, pa + (a * k - pa) * share, pb + (b * k - pb) * share]);
      to = [rgb[0] * 255, rgb[1] * 255, rgb[2] * 255];
      if (cache.size < 500_000) cache.set(key, to);
    }
    for (let k = 0; k < 3; k++) data[o + k] = Math.round(data[o + k]! + (to[k]! - data[o + k]!) * cover);
  }
  return { ...raster, data };
}

/** Returns 0–1: parts of a colourful object in other colours, such as a car's windows, keep theirs. */
function belongs({ hue, chroma }: Character, a: number, b: number): number {
  if (!hue) return 1;
  const along = a * hue[0] + b * hue[1];
  const across = Math.abs(a * hue[1] - b * hue[0]);
  const alike = smoothstep(-0.25, 0.35, (along - across * 0.8) / Math.max(0.02, Math.hypot(a, b)));
  return alike * smoothstep(0.12, 0.4, Math.hypot(a, b) / chroma);
}

function characterOf({ data }: Raster, mask: Raster<1>): Character {
  let [weight, lightSum, chromaSum, aSum, bSum] = [0, 0, 0, 0, 0];
  const step = Math.max(1, Math.floor(mask.data.length / 300_000));
  for (let i = 0; i < mask.data.length; i += step) {
    if (mask.data[i]! < 128) continue;
    const [L, a, b] = oklab([data[i * 4]! / 255, data[i * 4 + 1]! / 255, data[i * 4 + 2]! / 255]);
    const c = Math.hypot(a, b);
    weight++;
    lightSum += L;
    chromaSum += c;
    aSum += a * c;
    bSum += b * c;
  }
  if (weight === 0) return { light: 0.5, chroma: 0, hue: null };
  const [chroma, length] = [chromaSum / weight, Math.hypot(aSum, bSum)];
  // Colours of all directions cancel each other out; the object then counts as gray.
  const one = length / weight > 0.45 * chroma * chroma && chroma > 0.035;
  return { light: lightSum / weight, chroma, hue: one ? [aSum / length, bSum / length] : null };
}
