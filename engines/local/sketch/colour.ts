/** Colours as three sRGB values of 0–1, and functions that mix colours. */
import { clamp } from '../pixels/range.ts';

export type Colour = readonly [number, number, number];

export function hex(code: string): Colour {
  const n = Number.parseInt(code.slice(1), 16);
  return [((n >> 16) & 255) / 255, ((n >> 8) & 255) / 255, (n & 255) / 255];
}

export function blend(a: Colour, b: Colour, t: number): Colour {
  return [a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t, a[2] + (b[2] - a[2]) * t];
}

/** Multiplies a colour by a number, or by another colour channel by channel. */
export function times(c: Colour, k: number | Colour): Colour {
  return typeof k === 'number' ? [c[0] * k, c[1] * k, c[2] * k] : [c[0] * k[0], c[1] * k[1], c[2] * k[2]];
}

/** Converts HSL to a colour: hue in turns, saturation and lightness of 0–1. */
export function hsl(h: number, s: number, l: number): Colour {
  const a = s * Math.min(l, 1 - l);
  const f = (n: number): number => {
    const k = (n + (((h % 1) + 1) % 1) * 12) % 12;
    return l - a * Math.max(-1, Math.min(k - 3, 9 - k, 1));
  };
  return [f(0), f(8), f(4)];
}

/** Returns the colour at `t` (0–1) along evenly spaced stops. */
export function ramp(stops: readonly Colour[], t: number): Colour {
  const p = clamp(t) * (stops.length - 1);
  const i = Math.min(stops.length - 2, Math.floor(p));
  return blend(stops[i]!, stops[i + 1]!, p - i);
}

/** Returns `ramp` as a table of `steps` colours, which is fast enough for every pixel of a picture. */
export function rampTable(stops: readonly Colour[], steps = 1024): (t: number) => Colour {
  const table = Array.from({ length: steps }, (_, i) => ramp(stops, i / (steps - 1)));
  return (t) => table[Math.round(clamp(t) * (steps - 1))]!;
}

/** Mixes a colour with opacity `a` into the pixel at offset `p` of an interleaved buffer. */
export function mixInto(rgb: Float32Array, p: number, c: Colour, a: number): void {
  rgb[p] = rgb[p]! + (c[0] - rgb[p]!) * a;
  rgb[p + 1] = rgb[p + 1]! + (c[1] - rgb[p + 1]!) * a;
  rgb[p + 2] = rgb[p + 2]! + (c[2] - rgb[p + 2]!) * a;
}
