/** Transparency while an image is enlarged or filtered. */
import { alphaOf, isOpaque } from '../pixels/alpha.ts';
import { resized } from '../pixels/resize.ts';
import type { Raster } from '../raster.ts';

/** Writes the alpha of one raster, smoothly enlarged, into another. */
export async function enlargeAlpha(from: Raster<4>, to: Raster<4>): Promise<void> {
  const larger = await resized(alphaOf(from), to);
  for (let i = 0; i < larger.data.length; i++) to.data[i * 4 + 3] = larger.data[i]!;
}

/** Colours times their weights, and the weights: R, G, B, weight. */
interface Level {
  width: number;
  height: number;
  sums: Float32Array;
}

/** Gives what is transparent the colour of what it borders on, so that filters draw no stain across the edge. */
export function bleed(raster: Raster<4>): Raster<4> {
  if (isOpaque(raster)) return raster;
  const { width, height, data } = raster;
  const levels: Level[] = [halve(width, height, (at, c) => (data[at + c]! * (c < 3 ? data[at + 3]! : 1)) / 255)];
  for (let last = levels[0]!; last.width > 1 || last.height > 1; last = levels.at(-1)!) {
    const { sums } = last;
    levels.push(halve(last.width, last.height, (at, c) => sums[at + c]!));
  }
  for (let k = levels.length - 2; k >= 0; k--) fill(levels[k]!, levels[k + 1]!);
  const { sums, width: stride } = levels[0]!;
  const filled = new Uint8Array(data);
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at += 4) {
      const alpha = data[at + 3]! / 255;
      if (alpha === 1) continue;
      const near = ((y >> 1) * stride + (x >> 1)) * 4;
      const rest = (1 - alpha) / Math.max(1e-6, sums[near + 3]!);
      for (let c = 0; c < 3; c++) filled[at + c] = data[at + c]! * alpha + sums[near + c]! * rest + 0.5;
    }
  }
  return { ...raster, data: filled };
}

function halve(width: number, height: number, value: (at: number, c: number) => number): Level {
  const [w, h] = [(width + 1) >> 1, (height + 1) >> 1];
  const sums = new Float32Array(w * h * 4);
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at += 4) {
      const to = ((y >> 1) * w + (x >> 1)) * 4;
      for (let c = 0; c < 4; c++) sums[to + c]! += value(at, c);
    }
  }
  return { width: w, height: h, sums };
}

/** Where a level knows little, the coarser one fills in. */
function fill({ width, height, sums }: Level, coarse: Level): void {
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at += 4) {
      const from = ((y >> 1) * coarse.width + (x >> 1)) * 4;
      const known = Math.min(1, sums[at + 3]!);
      const own = known / Math.max(1e-6, sums[at + 3]!);
      const rest = (1 - known) / Math.max(1e-6, coarse.sums[from + 3]!);
      for (let c = 0; c < 3; c++) sums[at + c] = sums[at + c]! * own + coarse.sums[from + c]! * rest;
      sums[at + 3] = 1;
    }
  }
}
