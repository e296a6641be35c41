/** Edits of the frame: the masks move with the picture. */
import sharp, { type Sharp } from 'sharp';
import { lumaOf } from '../pixels/luma.ts';
import { inOpenCv } from '../pixels/opencv.ts';
import { fitting, resized } from '../pixels/resize.ts';
import { type Raster, refuseResult } from '../raster.ts';
import type { FrameEdit } from './edits.ts';
import { around, cut, cutTo, cutToRatio, extended, focusOf, pixelsOf, sizeFor } from './frame.ts';
import { framed, type Picture } from './picture.ts';

export async function reframed(picture: Picture, edit: FrameEdit, seed: number): Promise<Picture> {
  const { width, height } = picture.raster;
  switch (edit.kind) {
    case 'crop': {
      if ('ratio' in edit) return cutToRatio(picture, edit.ratio);
      if ('to' in edit) return cutTo(picture, edit.to);
      if ('zoom' in edit) {
        const size = (n: number): number => Math.max(1, Math.round(n / edit.zoom));
        return cut(picture, around(await focusOf(picture), picture.raster, size(width), size(height)));
      }
      const off = pixelsOf(edit.off, picture.raster);
      const [w, h] = [Math.max(1, width - off.left - off.right), Math.max(1, height - off.top - off.bottom)];
      return cut(picture, { x: Math.min(width - w, off.left), y: Math.min(height - h, off.top), width: w, height: h });
    }
    case 'extend': {
      if (!('ratio' in edit)) return extended(picture, pixelsOf(edit.by, picture.raster), seed);
      const size = sizeFor(edit.ratio, picture.raster, 'around');
      const [x, y] = [size.width - width, size.height - height];
      return extended(picture, { left: x >> 1, right: x - (x >> 1), top: y >> 1, bottom: y - (y >> 1) }, seed);
    }
    case 'flip':
      return framed(picture, (raster) =>
        transformed(raster, (image) => (edit.axis === 'horizontal' ? image.flop() : image.flip())),
      );
    case 'rotate':
      if (edit.degrees % 90 === 0)
        return framed(picture, (raster) => transformed(raster, (image) => image.rotate(edit.degrees)));
      return framed(picture, (raster) => turned(raster, edit.degrees, isSlight(edit.degrees) ? 'mirrored' : 'empty'));
    case 'straighten': {
      const tilt = await tiltOf(picture.raster);
      if (tilt === 0) return picture;
      const turn = await framed(picture, (raster) => turned(raster, tilt));
      const angle = (Math.abs(tilt) * Math.PI) / 180;
      // The largest upright frame of the same ratio.
      const shrink = Math.cos(angle) + Math.sin(angle) * Math.max(width / height, height / width);
      const size = (n: number): number => Math.floor(n / shrink);
      return cut(turn, around({ x: 0, y: 0, ...turn.raster }, turn.raster, size(width), size(height)));
    }
    case 'resize': {
      const [w, h] = [Math.max(1, Math.round(width * edit.factor)), Math.max(1, Math.round(height * edit.factor))];
      return framed(picture, (raster) => resized(raster, { width: w, height: h }));
    }
  }
}

/** Small corners are filled; in large ones, the reflection would be visible as such. */
const isSlight = (degrees: number): boolean => Math.abs(degrees - 90 * Math.round(degrees / 90)) <= 8;

/** Mirrors a raster or turns it by quarter turns, with an operation of sharp. */
async function transformed<C extends 1 | 4>(
  { width, height, channels, data }: Raster<C>,
  change: (image: Sharp) => Sharp,
): Promise<Raster<C>> {
  const image = sharp(data, { raw: { width, height, channels }, limitInputPixels: false });
  const out = await change(image)
    .toColourspace(channels === 1 ? 'b-w' : 'srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: out.info.width, height: out.info.height, channels, data: out.data };
}

/**
 * Turns a raster by any angle, bicubically. The frame grows to hold all of it.
 * @param corners `empty` leaves the new corners 0, thus transparent; `mirrored` fills them with the raster's reflection
 */
function turned<C extends 1 | 4>(
  raster: Raster<C>,
  degrees: number,
  corners: 'empty' | 'mirrored' = 'empty',
): Raster<C> {
  const { channels, data } = raster;
  const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
  const width = Math.round(Math.abs(raster.width * cos) + Math.abs(raster.height * sin));
  const height = Math.round(Math.abs(raster.width * sin) + Math.abs(raster.height * cos));
  refuseResult({ width, height }, 'png');
  // From the result's pixels to the raster's; both turn around their middle.
  const [dx, dy] = [(1 - width) / 2, (1 - height) / 2];
  const across = [cos, sin, dx * cos + dy * sin + (raster.width - 1) / 2];
  const down = [-sin, cos, dy * cos - dx * sin + (raster.height - 1) / 2];
  return inOpenCv(({ cv, bytes, floats, empty }) => {
    const out = empty(height, width, cv.CV_8UC1 + ((channels - 1) << 3));
    out.data.fill(0);
    const how = cv.INTER_CUBIC + cv.WARP_INVERSE_MAP;
    const border = corners === 'mirrored' ? cv.BORDER_REFLECT : cv.BORDER_TRANSPARENT;
    const from = bytes(data, raster.width, raster.height, channels);
    cv.warpAffine(from, out, floats([...across, ...down], 3, 2), new cv.Size(width, height), how, border);
    return { width, height, channels, data: out.data.slice() };
  });
}

/** Largest tilt that `straighten` recognises, in degrees. */
const reach = 12;
/** Bins of the histogram of angles per degree. */
const perDegree = 5;

/** Measures the tilt from nearly horizontal or vertical edges. Returns the degrees to turn clockwise; 0 if none stands out. */
async function tiltOf(raster: Raster): Promise<number> {
  const { width: w, height: h, data } = await resized(raster, fitting(raster, 800));
  const gray = lumaOf(data, 4);
  const bins = new Float64Array(2 * reach * perDegree + 1);
  for (let y = 2; y < h - 2; y++)
    for (let x = 2; x < w - 2; x++) {
      const i = y * w + x;
      // Differences over four pixels, because the pixel steps of a slanted edge would count as horizontal or vertical.
      let [gx, gy] = [0, 0];
      for (let d = -2; d <= 2; d++) {
        const weight = 3 - Math.abs(d);
        gx += weight * (gray[i + d * w + 2]! + gray[i + d * w + 1]! - gray[i + d * w - 1]! - gray[i + d * w - 2]!);
        gy += weight * (gray[i + d + 2 * w]! + gray[i + d + w]! - gray[i + d - w]! - gray[i + d - 2 * w]!);
      }
      const strength = Math.hypot(gx, gy);
      if (strength < 220) continue;
      const angle = (Math.atan2(gy, gx) * 180) / Math.PI;
      const off = angle - 90 * Math.round(angle / 90);
      if (Math.abs(off) > reach) continue;
      const level = Math.abs(Math.round(angle / 90)) === 1 ? 1.5 : 1;
      const at = Math.round((off + reach) * perDegree);
      bins[at] = bins[at]! + Math.min(strength, 1500) * level;
    }
  const soft = bins.map((_, i) =>
    [-3, -2, -1, 0, 1, 2, 3].reduce((sum, d) => sum + (bins[i + d] ?? 0) * (4 - Math.abs(d)), 0),
  );
  const total = soft.reduce((sum, n) => sum + n, 0);
  const best = soft.reduce((top, n, i) => (n > soft[top]! ? i : top), 0);
  if (total === 0 || soft[best]! < (1.35 * total) / soft.length) return 0;
  return -(best / perDegree - reach);
}
