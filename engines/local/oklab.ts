/** Converts display colours to OKLab, in which equal steps look equal, and back. */
import { clamp } from './pixels/range.ts';

export type Colour = [number, number, number];

/** Converts a display value of sRGB, 0–1, to linear light. */
export function linear(v: number): number {
  return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
}

/** Converts linear light, 0–1, to a display value of sRGB. */
export function display(v: number): number {
  return v <= 0.0031308 ? v * 12.92 : 1.055 * v ** (1 / 2.4) - 0.055;
}

export function luminance(c: readonly [number, number, number]): number {
  return 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2];
}

export function oklab(c: readonly [number, number, number]): Colour {
  const [r, g, b] = [linear(c[0]), linear(c[1]), linear(c[2])];
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

function unbounded(L: number, a: number, b: number): Colour {
  const l = (L + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (L - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (L - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
}

const holds = (c: Colour): boolean => Math.min(...c) >= -0.0005 && Math.max(...c) <= 1.0005;

/** Converts OKLab to display colours. Colours outside sRGB lose chroma, not hue or lightness. */
export function fromOklab([L, a, b]: Colour): Colour {
  const light = clamp(L);
  let fits = unbounded(light, a, b);
  if (!holds(fits)) {
    let [low, high] = [0, 1];
    for (let i = 0; i < 9; i++) {
      const middle = (low + high) / 2;
      if (holds(unbounded(light, a * middle, b * middle))) low = middle;
      else high = middle;
    }
    fits = unbounded(light, a * low, b * low);
  }
  return [bounded(fits[0]), bounded(fits[1]), bounded(fits[2])];
}

const bounded = (v: number): number => clamp(display(Math.max(0, v)));
