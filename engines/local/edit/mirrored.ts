/** Goes on beyond the frame with the picture's reflection, softer the farther out: for what cannot be made up believably. */
import type { Raster } from '../raster.ts';
import type { Sides } from './edits.ts';
import { blurred } from './soften.ts';
import { reflect } from '../pixels/range.ts';

/** @param subject whose reflection fades into the background's, as a second head would not */
export async function mirrored(raster: Raster, subject: Raster<1>, by: Sides): Promise<Raster> {
  const { width, height } = raster;
  const [w, h] = [width + by.left + by.right, height + by.top + by.bottom];
  const data = new Uint8Array(w * h * 4);
  const behind = new Uint8Array(w * h * 4);
  const columns = Int32Array.from({ length: w }, (_, x) => reflect(x - by.left, width));
  for (let y = 0; y < h; y++) {
    const line = reflect(y - by.top, height) * width;
    for (let x = 0; x < w; x++) {
      const from = (line + columns[x]!) * 4;
      const o = (y * w + x) * 4;
      for (let k = 0; k < 4; k++) data[o + k] = behind[o + k] = raster.data[from + k]!;
      behind[o + 3] = Math.max(4, 255 - subject.data[line + columns[x]!]!);
    }
  }
  const longest = Math.max(w, h);
  const whole: Raster = { width: w, height: h, channels: 4, data };
  const [soft, softer] = [
    await blurred(whole, longest * 0.008),
    await blurred({ ...whole, data: behind }, longest * 0.035),
  ];
  for (let y = 0; y < h; y++)
    for (let x = 0; x < w; x++) {
      const out = Math.hypot(beyond(x - by.left, width), beyond(y - by.top, height)) / longest;
      if (out === 0) continue;
      const [near, far] = [Math.min(1, out / 0.02), Math.min(1, Math.max(0, out - 0.02) / 0.09)];
      const o = (y * w + x) * 4;
      for (let k = 0; k < 3; k++) {
        const close = data[o + k]! + (soft.data[o + k]! - data[o + k]!) * near;
        data[o + k] = Math.round(close + (softer.data[o + k]! - close) * far);
      }
    }
  return whole;
}

const beyond = (n: number, size: number): number => (n < 0 ? -n : Math.max(0, n - size + 1));
