/** Measures pixels for the tests of variations. */
import { pixels, type Pixels } from './ask.ts';

/** Constants, because looking up a global takes a hundred times as long in Jest's realm. */
const { abs, floor, log10, max, min, sqrt } = Math;

/** @param bytes an encoded file */
export const pixelsOf = (bytes: Uint8Array): Promise<Pixels> => pixels({ bytes });

/** Returns the mean difference of the channels, 0–255. */
export function differ(a: Pixels, b: Pixels): number {
  let sum = 0;
  for (let i = 0; i < a.data.length; i++) sum += abs(a.data[i]! - b.data[i]!);
  return sum / a.data.length;
}

export function psnr(a: Pixels, b: Pixels): number {
  let sum = 0;
  for (let i = 0; i < a.data.length; i++) sum += (a.data[i]! - b.data[i]!) ** 2;
  return sum === 0 ? Infinity : 10 * log10(255 ** 2 / (sum / a.data.length));
}

/** A part of a picture, in shares of its sides. */
export interface Part {
  left: number;
  top: number;
  width: number;
  height: number;
}
const whole: Part = { left: 0, top: 0, width: 1, height: 1 };

export function mean(
  p: Pixels,
  part: Part = whole,
): { r: number; g: number; b: number; light: number; chroma: number } {
  let [r, g, b, chroma, n] = [0, 0, 0, 0, 0];
  for (let y = floor(part.top * p.height); y < (part.top + part.height) * p.height; y++)
    for (let x = floor(part.left * p.width); x < (part.left + part.width) * p.width; x++) {
      const o = (y * p.width + x) * p.channels;
      const c = [p.data[o]!, p.data[o + 1]!, p.data[o + 2]!] as const;
      r += c[0];
      g += c[1];
      b += c[2];
      chroma += max(...c) - min(...c);
      n++;
    }
  return { r: r / n, g: g / n, b: b / n, light: (0.299 * r + 0.587 * g + 0.114 * b) / n, chroma: chroma / n };
}

/** Returns how alike the large masses of light and dark are: correlation of luminance on a grid of 24 × 24. */
export function composition(a: Pixels, b: Pixels, part: Part = whole): number {
  const side = 24;
  const grid = (p: Pixels): number[] =>
    Array.from(
      { length: side * side },
      (_, k) =>
        mean(p, {
          left: part.left + ((k % side) / side) * part.width,
          top: part.top + (floor(k / side) / side) * part.height,
          width: part.width / side,
          height: part.height / side,
        }).light,
    );
  const [u, v] = [grid(a), grid(b)];
  const middle = (w: number[]): number => w.reduce((s, x) => s + x, 0) / w.length;
  const [mu, mv] = [middle(u), middle(v)];
  let [uv, uu, vv] = [0, 0, 0];
  for (const [k, x] of u.entries()) {
    uv += (x - mu) * (v[k]! - mv);
    uu += (x - mu) ** 2;
    vv += (v[k]! - mv) ** 2;
  }
  return uv / sqrt(uu * vv);
}

/**
 * Returns the mean step of colour over the edges and between ordinary neighbours: first horizontally, then vertically.
 */
export function seams(p: Pixels): { seam: number; ordinary: number }[] {
  return [true, false].map((across) => {
    const [size, length] = across ? [p.width, p.height] : [p.height, p.width];
    const step = (a: number, b: number): number => {
      let sum = 0;
      for (let k = 0; k < length; k++)
        for (let c = 0; c < p.channels; c++) {
          const at = (line: number): number =>
            p.data[((across ? k : line) * p.width + (across ? line : k)) * p.channels + c]!;
          sum += abs(at(a) - at(b));
        }
      return sum / (length * p.channels);
    };
    let ordinary = 0;
    for (let i = 0; i + 1 < size; i++) ordinary += step(i, i + 1);
    return { seam: step(size - 1, 0), ordinary: ordinary / (size - 1) };
  });
}
