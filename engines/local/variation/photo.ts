/** A photograph as a canvas to repaint, and the repainted canvas as an image of the photograph's size. */
import sharp from 'sharp';
import { decode, type Raster } from '../raster.ts';
import { type Canvas, createCanvas } from '../sketch/canvas.ts';

/** Long side of the canvas. Looks are drawn for about this many pixels. */
const [smallest, largest] = [640, 1400];

export interface Photo {
  readonly raster: Raster;
  readonly opaque: boolean;
}

export async function open(image: { bytes: Uint8Array }): Promise<Photo> {
  const raster = await decode(image);
  const { data } = raster;
  let opaque = true;
  for (let o = 3; o < data.length && opaque; o += 4) opaque = data[o] === 255;
  return { raster, opaque };
}

/** The photograph stretched to a canvas's size; what is transparent has the mean colour of what is not. */
export async function canvasOf(photo: Photo, width: number, height: number): Promise<Canvas> {
  const { raster } = photo;
  const { data } = await sharp(raster.data, { raw: raster, limitInputPixels: false })
    .flatten({ background: photo.opaque ? '#ffffff' : meanColour(raster) })
    .resize(width, height, { fit: 'fill' })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const canvas = createCanvas(width, height);
  for (let i = 0; i < data.length; i++) canvas.rgb[i] = data[i]! / 255;
  return canvas;
}

/** How large the canvas for a photograph is. */
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

/** Lays the repainted over the photograph; its alpha stays. */
export function lay({ raster, opaque }: Photo, painted: Raster<3 | 4>, opacity: number): Raster<3 | 4> {
  const channels = opaque ? 3 : 4;
  const { width, height, data } = raster;
  const out = new Uint8Array(width * height * channels);
  for (let i = 0; i < width * height; i++) {
    for (let k = 0; k < 3; k++) {
      const from = data[i * 4 + k]!;
      out[i * channels + k] = Math.round(from + (painted.data[i * painted.channels + k]! - from) * opacity);
    }
    if (channels === 4) out[i * 4 + 3] = data[i * 4 + 3]!;
  }
  return { width, height, channels, data: out };
}
