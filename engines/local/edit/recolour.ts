/** Gives an object another colour and keeps its light and texture. */
import type { Raster } from '../raster.ts';
import type { Tone } from './edits.ts';
import { type Colour, fromOklab, oklab } from '../oklab.ts';
import { graded } from './grades.ts';
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
  const recolour = (c: Colour): Colour => {
    const [L, pa, pb] = oklab(c);
    const share = belongs(own, pa, pb);
    // Differences of light shrink towards black and white, which leave no room for them.
    const room = chroma < 0.04 ? 0.72 : 0.95;
    const lit = clamp(own.light + (light - own.light) * pull + (L - own.light) * room);
    // A highlight has the light's colour, not the object's; a deep shadow has hardly any colour.
    const gleam = smoothstep(0.86, 0.985, L) * smoothstep(0.08, 0.3, L - own.light);
    const shade = Math.min(1.15, 0.35 + (0.65 * lit) / Math.max(0.2, light)) * smoothstep(0.02, 0.25, lit);
    const pale = own.hue ? Math.min(1.1, 0.55 + (0.45 * Math.hypot(pa, pb)) / own.chroma) : 1;
    const k = 0.9 * (1 - gleam) * shade * pale;
    return fromOklab([L + (lit - L) * share, pa + (a * k - pa) * share, pb + (b * k - pb) * share]);
  };
  return graded(raster, [recolour]);
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
