/** Reads, removes and adds the alpha channel, and makes masks. */
import type { Raster } from '../raster.ts';

export function isOpaque({ data }: Raster<4>): boolean {
  for (let at = 3; at < data.length; at += 4) if (data[at] !== 255) return false;
  return true;
}

/** Returns the colours without alpha. */
export function opaque(raster: Raster<3 | 4>): Raster<3> {
  const { width, height, channels, data } = raster;
  if (channels === 3) return { width, height, channels, data };
  const out = new Uint8Array(width * height * 3);
  for (let from = 0, to = 0; to < out.length; from += 4, to += 3) {
    out[to] = data[from]!;
    out[to + 1] = data[from + 1]!;
    out[to + 2] = data[from + 2]!;
  }
  return { width, height, channels: 3, data: out };
}

/** Removes the alpha channel of an opaque image, because files become smaller and filters need less memory. */
export function withoutNeedlessAlpha(raster: Raster): Raster<3> | Raster<4> {
  return isOpaque(raster) ? opaque(raster) : raster;
}

export function alphaOf({ width, height, data }: Raster): Raster<1> {
  const alpha = new Uint8Array(width * height);
  for (let i = 0; i < alpha.length; i++) alpha[i] = data[i * 4 + 3]!;
  return { width, height, channels: 1, data: alpha };
}

export function inverted({ width, height, data }: Raster<1>): Raster<1> {
  return { width, height, channels: 1, data: data.map((value) => 255 - value) };
}

/** Returns a mask of bytes from values of 0–1. */
export function maskOf({ width, height, data }: { width: number; height: number; data: Float32Array }): Raster<1> {
  return { width, height, channels: 1, data: new Uint8Array(data.map((value) => Math.round(255 * value))) };
}

/** Joins colours and alpha of the same size. */
export function withAlpha({ width, height, data }: Raster<3>, alpha: Raster<1>): Raster<4> {
  const out = new Uint8Array(width * height * 4);
  for (let i = 0; i < alpha.data.length; i++) {
    for (let c = 0; c < 3; c++) out[i * 4 + c] = data[i * 3 + c]!;
    out[i * 4 + 3] = alpha.data[i]!;
  }
  return { width, height, channels: 4, data: out };
}
