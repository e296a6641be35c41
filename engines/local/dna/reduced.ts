/** Makes a picture smaller by the mean of the area that falls on each pixel, as grain is to be neither lost nor made up. */
import type { Raster } from '../raster.ts';

interface Span {
  readonly from: Int32Array;
  /** For each pixel: the weights of the source's pixels that it covers, a row of `reach`. */
  readonly weights: Float32Array;
  readonly reach: number;
}

/** The picture itself where it is small enough. What is transparent lends no colour to what is not. */
export function reduced(raster: Raster, longest: number): Raster {
  const { width, height, data } = raster;
  const factor = Math.max(width, height) / longest;
  if (factor <= 1) return raster;
  const w = Math.max(1, Math.round(width / factor));
  const h = Math.max(1, Math.round(height / factor));
  const [columns, rows] = [spanOf(width, w), spanOf(height, h)];
  const out = new Uint8Array(w * h * 4);
  const line = new Float32Array(w * 4);
  for (let y = 0; y < h; y++) {
    line.fill(0);
    for (let j = 0; j < rows.reach; j++) {
      const v = rows.weights[y * rows.reach + j]!;
      if (v > 0) addRow(line, data, (rows.from[y]! + j) * width, columns, v);
    }
    for (let x = 0; x < w; x++) {
      const [p, alpha] = [(y * w + x) * 4, line[x * 4 + 3]!];
      for (let c = 0; c < 3; c++) out[p + c] = alpha > 0 ? Math.round(line[x * 4 + c]! / alpha) : 0;
      out[p + 3] = Math.round(alpha);
    }
  }
  return { width: w, height: h, channels: 4, data: out };
}

/** Adds one row of the source, its colours times alpha, each to the pixel that it falls on. */
function addRow(line: Float32Array, data: Uint8Array, row: number, { from, weights, reach }: Span, v: number): void {
  for (let x = 0; x < from.length; x++) {
    const o = x * 4;
    for (let i = 0; i < reach; i++) {
      const p = (row + from[x]! + i) * 4;
      const share = weights[x * reach + i]! * v;
      if (share === 0) continue;
      const alpha = data[p + 3]! * share;
      line[o]! += data[p]! * alpha;
      line[o + 1]! += data[p + 1]! * alpha;
      line[o + 2]! += data[p + 2]! * alpha;
      line[o + 3]! += alpha;
    }
  }
}

function spanOf(size: number, to: number): Span {
  const step = size / to;
  const reach = Math.ceil(step) + 1;
  const from = new Int32Array(to);
  const weights = new Float32Array(to * reach);
  for (let i = 0; i < to; i++) {
    const [start, end] = [i * step, (i + 1) * step];
    from[i] = Math.floor(start);
    for (let k = 0; k < reach; k++) {
      const at = from[i]! + k;
      const cover = Math.min(end, at + 1) - Math.max(start, at);
      if (cover > 1e-6 && at < size) weights[i * reach + k] = cover / step;
    }
  }
  return { from, weights, reach };
}
