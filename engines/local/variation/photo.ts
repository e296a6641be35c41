/** A photograph as a canvas to repaint, and the repainted canvas as an image of the photograph's size. */
import sharp from 'sharp';
import { decode, type Raster } from '../raster.ts';
import { type Canvas, createCanvas } from '../sketch/canvas.ts';
import { lattice } from '../sketch/noise.ts';
import { clamp, toByte } from '../pixels/range.ts';

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

/** The pixels of a canvas at a size, with a little grain against banding. `tiles`: enlarged across its edges. */
export async function rasterOf(canvas: Canvas, width: number, height: number, tiles: boolean): Promise<Raster<3>> {
  const pad = width === canvas.width && height === canvas.height ? 0 : 8;
  const [w, h] = [canvas.width + 2 * pad, canvas.height + 2 * pad];
  const bytes = new Uint8Array(w * h * 3);
  const fold = (n: number, size: number): number => (tiles ? (n + size) % size : clamp(n, 0, size - 1));
  for (let y = 0; y < h; y++)
    for (let x = 0; x < w; x++) {
      const s = (fold(y - pad, canvas.height) * canvas.width + fold(x - pad, canvas.width)) * 3;
      const o = (y * w + x) * 3;
      const n = lattice(x, y, 77) - 0.5;
      for (let k = 0; k < 3; k++) bytes[o + k] = toByte(canvas.rgb[s + k]! * 255 + n);
    }
  if (pad === 0) return { width, height, channels: 3, data: bytes };
  const [px, py] = [Math.round((pad * width) / canvas.width), Math.round((pad * height) / canvas.height)];
  const enlarged = await sharp(bytes, { raw: { width: w, height: h, channels: 3 } })
    .resize(width + 2 * px, height + 2 * py, { fit: 'fill', kernel: 'cubic' })
    .raw()
    .toBuffer();
  const { data } = await sharp(enlarged, {
    raw: { width: width + 2 * px, height: height + 2 * py, channels: 3 },
    limitInputPixels: false,
  })
    .extract({ left: px, top: py, width, height })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width, height, channels: 3, data };
}

/** Lays the repainted over the photograph; its alpha stays. */
export function lay({ raster, opaque }: Photo, painted: Raster<3>, opacity: number): Raster<3 | 4> {
  const channels = opaque ? 3 : 4;
  const { width, height, data } = raster;
  const out = new Uint8Array(width * height * channels);
  for (let i = 0; i < width * height; i++) {
    for (let k = 0; k < 3; k++) {
      const from = data[i * 4 + k]!;
      out[i * channels + k] = Math.round(from + (painted.data[i * 3 + k]! - from) * opacity);
    }
    if (channels === 4) out[i * 4 + 3] = data[i * 4 + 3]!;
  }
  return { width, height, channels, data: out };
}
