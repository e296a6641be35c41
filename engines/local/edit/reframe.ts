/** Edits of the frame: the masks move with the picture. */
import { extended, pixelsOf } from './extend.ts';
import type { FrameEdit } from './edits.ts';
import { around, cut, cutTo, cutToRatio, focusOf, sizeFor } from './frame.ts';
import { tiltOf } from './horizon.ts';
import { framed, type Picture } from './picture.ts';
import { resized } from '../pixels/resize.ts';
import { transformed, turned } from './turn.ts';

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
