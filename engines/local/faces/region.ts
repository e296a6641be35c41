/** A rectangle cut out of an image to be worked on, perhaps at another size, and put back. */
import sharp from 'sharp';
import type { Raster } from '../raster.ts';
import { colourAt } from './bicubic.ts';

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Whole pixels inside of the image, with `room` times the box's size on each side. */
export function around(box: Box, room: number, { width, height }: Raster): Box {
  const margin = room * Math.max(box.width, box.height);
  const [x, y] = [Math.max(0, Math.floor(box.x - margin)), Math.max(0, Math.floor(box.y - margin))];
  const right = Math.min(width, Math.ceil(box.x + box.width + margin));
  const bottom = Math.min(height, Math.ceil(box.y + box.height + margin));
  return { x, y, width: Math.max(1, right - x), height: Math.max(1, bottom - y) };
}

export function cut(image: Raster, { x, y, width, height }: Box): Raster {
  const data = new Uint8Array(width * height * 4);
  for (let row = 0; row < height; row++) {
    const from = ((y + row) * image.width + x) * 4;
    data.set(image.data.subarray(from, from + width * 4), row * width * 4);
  }
  return { width, height, channels: 4, data };
}

/** Only to make smaller: enlarging, libvips moves the image by a quarter of a pixel. */
export async function resize(image: Raster, width: number, height: number): Promise<Raster> {
  if (image.width === width && image.height === height) return image;
  const data = await sharp(image.data, { raw: { width: image.width, height: image.height, channels: 4 } })
    .resize(width, height, { fit: 'fill', kernel: 'lanczos3' })
    .raw()
    .toBuffer();
  return { width, height, channels: 4, data };
}

/** The image with a patch over it; the patch's fourth channel says how much, the image's own alpha stays. */
export function paste(image: Raster, patch: Raster, box: Box): Raster {
  const data = new Uint8Array(image.data);
  const colour = new Float64Array(4);
  for (let row = 0; row < box.height; row++) {
    let to = ((box.y + row) * image.width + box.x) * 4;
    for (let column = 0; column < box.width; column++, to += 4) {
      const [x, y] = [((column + 0.5) * patch.width) / box.width, ((row + 0.5) * patch.height) / box.height];
      if (patch.data[(Math.floor(y) * patch.width + Math.floor(x)) * 4 + 3] === 0) continue;
      colourAt(patch, x, y, colour);
      const share = colour[3]!;
      for (let c = 0; c < 3; c++) data[to + c] = Math.round(data[to + c]! * (1 - share) + colour[c]! * share * 255);
    }
  }
  return { ...image, data };
}

/** Files without a needless alpha channel are smaller, and go into formats that have none. */
export function withoutNeedlessAlpha(image: Raster): Raster<3 | 4> {
  const { data, width, height } = image;
  for (let at = 3; at < data.length; at += 4) if (data[at] !== 255) return image;
  const rgb = new Uint8Array(width * height * 3);
  for (let from = 0, to = 0; from < data.length; from += 4, to += 3) {
    rgb[to] = data[from]!;
    rgb[to + 1] = data[from + 1]!;
    rgb[to + 2] = data[from + 2]!;
  }
  return { width, height, channels: 3, data: rgb };
}
