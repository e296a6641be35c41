/** Brightness as video encodes it (Rec. 601), in the unit of the channels. */

export function luma(r: number, g: number, b: number): number {
  return 0.299 * r + 0.587 * g + 0.114 * b;
}

/** Returns the luma of the pixel at an offset of interleaved channels. */
export function lumaAt(data: ArrayLike<number>, at: number): number {
  return luma(data[at]!, data[at + 1]!, data[at + 2]!);
}

/** Returns the luma of every pixel. */
export function lumaOf(data: ArrayLike<number>, channels: 3 | 4 = 3): Float32Array {
  const out = new Float32Array(data.length / channels);
  for (let i = 0, at = 0; i < out.length; i++, at += channels) out[i] = lumaAt(data, at);
  return out;
}
