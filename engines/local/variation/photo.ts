/** Turns a photograph into a canvas to paint on, and lays the painted picture over the photograph. */
import sharp from 'sharp';
import { isOpaque, opaque } from '../pixels/alpha.ts';
import { fractions } from '../pixels/plane.ts';
import { decode, type Raster } from '../raster.ts';
import { type Canvas, createCanvas } from '../sketch/canvas.ts';

/** Limits for the canvas's longer side: looks are made for about this many pixels. */
const [smallest, largest] = [640, 1400];

export interface Photo {
  readonly raster: Raster;
  readonly opaque: boolean;
}

export async function open(image: { bytes: Uint8Array }): Promise<Photo> {
  const raster = await decode(image);
  return { raster, opaque: isOpaque(raster) };
}

/** Stretches the photograph to a canvas. Transparent pixels get the mean colour of the others. */
export async function canvasOf(photo: Photo, width: number, height: number): Promise<Canvas> {
  const { raster } = photo;
  const data = await sharp(raster.data, { raw: raster, limitInputPixels: false })
    .flatten({ background: photo.opaque ? '#ffffff' : meanColour(raster) })
    .resize(width, height, { fit: 'fill' })
    .raw()
    .toBuffer();
  return Object.assign(createCanvas(width, height), { rgb: fractions(data) });
}

/** Returns the size of the canvas for a photograph. */
export function canvasSize({ raster }: Photo): { width: number; height: number } {
  const long = Math.max(raster.width, raster.height);
  const scale = Math.min(Math.max(1, smallest / long), largest / long);
  return {
    width: Math.max(8, Math.round(raster.width * scale)),
    height: Math.max(8, Math.round(raster.height * scale)),
  };
}

function meanColour({ data }: Raster): { r: number; g: number; b: number } {
  let [r, g, b, n] = [0, 0, 0, 1e-6];
  for (let o = 0; o < data.length; o += 4) {
    const a = data[o + 3]!;
    r += data[o]! * a;
    g += data[o + 1]! * a;
    b += data[o + 2]! * a;
    n += a;
  }
  return { r: Math.round(r / n), g: Math.round(g / n), b: Math.round(b / n) };
}

/** Lays the painted picture over the photograph and keeps the photograph's alpha. */
export function lay(
  { raster, opaque: isWhole }: Photo,
  { channels, data }: Raster<3 | 4>,
  opacity: number,
): Raster<3 | 4> {
  const mixed = raster.data.map((from, o) => {
    if (o % 4 === 3) return from;
    return Math.round(from + (data[(o >> 2) * channels + (o % 4)]! - from) * opacity);
  });
  const laid: Raster = { ...raster, data: mixed };
  return isWhole ? opaque(laid) : laid;
}
