/** Turns pictures: mirrors, quarter turns and turns by any angle. */
import sharp, { type Sharp } from 'sharp';
import { inOpenCv } from '../pixels/opencv.ts';
import { type Raster, refuseResult } from '../raster.ts';

type Channels = 1 | 4;

const opened = <C extends Channels>({ width, height, channels, data }: Raster<C>): Sharp =>
  sharp(data, { raw: { width, height, channels }, limitInputPixels: false });

async function read<C extends Channels>(image: Sharp, channels: C): Promise<Raster<C>> {
  const { data, info } = await image
    .toColourspace(channels === 1 ? 'b-w' : 'srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, channels, data };
}

/** @param turns quarter turns clockwise */
export function quarterTurned<C extends Channels>(raster: Raster<C>, turns: number): Promise<Raster<C>> {
  return read(opened(raster).rotate((((turns % 4) + 4) % 4) * 90), raster.channels);
}

export function flipped<C extends Channels>(raster: Raster<C>, axis: 'horizontal' | 'vertical'): Promise<Raster<C>> {
  const image = opened(raster);
  return read(axis === 'horizontal' ? image.flop() : image.flip(), raster.channels);
}

/**
 * Turns a raster by any angle, bicubically. The frame grows to hold all of it.
 * @param corners the new corners are 0, thus transparent, or continue with the raster's reflection
 */
export function turned<C extends Channels>(
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

/** Returns the size of the largest upright frame within a turned one. */
export function uprightWithin(width: number, height: number, degrees: number): { width: number; height: number } {
  const angle = (Math.abs(degrees) * Math.PI) / 180;
  const [sin, cos] = [Math.abs(Math.sin(angle)), Math.abs(Math.cos(angle))];
  const [long, short] = [Math.max(width, height), Math.min(width, height)];
  if (short <= 2 * sin * cos * long || Math.abs(sin - cos) < 1e-9) {
    const half = short / 2;
    const [a, b] = width >= height ? [half / sin, half / cos] : [half / cos, half / sin];
    return { width: Math.floor(a), height: Math.floor(b) };
  }
  const across = cos * cos - sin * sin;
  return {
    width: Math.floor((width * cos - height * sin) / across),
    height: Math.floor((height * cos - width * sin) / across),
  };
}
