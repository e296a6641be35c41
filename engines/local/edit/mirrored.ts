/** Extends a picture with its reflection, softer farther out: for content that cannot be made up believably. */
import type { Raster } from '../raster.ts';
import { inOpenCv } from '../pixels/opencv.ts';
import type { Sides } from './edits.ts';
import { blurred } from './soften.ts';

/** @param subject fades into the background in the reflection, because a second head would stand out */
export async function mirrored(raster: Raster, subject: Raster<1>, by: Sides): Promise<Raster> {
  const whole = reflected(raster, by);
  const { width, height, data } = whole;
  const weights = reflected(subject, by).data.map((value) => Math.max(4, 255 - value));
  const behind = data.map((value, i) => (i % 4 === 3 ? weights[i >> 2]! : value));
  const longest = Math.max(width, height);
  const [soft, softer] = [
    await blurred(whole, longest * 0.008),
    await blurred({ ...whole, data: behind }, longest * 0.035),
  ];
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const out = Math.hypot(beyond(x - by.left, raster.width), beyond(y - by.top, raster.height)) / longest;
      if (out === 0) continue;
      const [near, far] = [Math.min(1, out / 0.02), Math.min(1, Math.max(0, out - 0.02) / 0.09)];
      const o = (y * width + x) * 4;
      for (let k = 0; k < 3; k++) {
        const close = data[o + k]! + (soft.data[o + k]! - data[o + k]!) * near;
        data[o + k] = Math.round(close + (softer.data[o + k]! - close) * far);
      }
    }
  return whole;
}

function reflected<C extends 1 | 4>({ width, height, channels, data }: Raster<C>, by: Sides): Raster<C> {
  return inOpenCv(({ cv, bytes, empty }) => {
    const to = empty();
    const from = bytes(data, width, height, channels);
    cv.copyMakeBorder(from, to, by.top, by.bottom, by.left, by.right, cv.BORDER_REFLECT);
    const size = { width: width + by.left + by.right, height: height + by.top + by.bottom };
    return { ...size, channels, data: to.data.slice() };
  });
}

const beyond = (n: number, size: number): number => (n < 0 ? -n : Math.max(0, n - size + 1));
