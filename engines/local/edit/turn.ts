/** Turns pictures: mirrors, quarter turns and turns by any angle. */
import sharp, { type Sharp } from 'sharp';
import { inOpenCv } from '../pixels/opencv.ts';
import { type Raster, refuseResult } from '../raster.ts';

/** Mirrors a raster or turns it by quarter turns, with an operation of sharp. */
export async function transformed<C extends 1 | 4>(
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
export function turned<C extends 1 | 4>(
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
