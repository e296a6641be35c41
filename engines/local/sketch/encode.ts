/** Turns a canvas into a file: rounded with a little seeded grain against banding, enlarged if it was painted small. */
import sharp from 'sharp';
import type { TextToImage } from '../../../schemas/tasks.ts';
import type { Canvas } from './canvas.ts';
import { lattice } from './noise.ts';
import { clamp, toByte } from '../pixels/range.ts';

const border = 8;

export async function encode(canvas: Canvas, params: TextToImage, tiles: boolean): Promise<Uint8Array> {
  const enlarge = params.width !== canvas.width;
  const pad = enlarge ? border : 0;
  const channels = canvas.alpha ? 4 : 3;
  const [w, h] = [canvas.width + 2 * pad, canvas.height + 2 * pad];
  const bytes = new Uint8Array(w * h * channels);
  const fold = (n: number, size: number): number => (tiles ? (n + size) % size : clamp(n, 0, size - 1));
  for (let y = 0; y < h; y++) {
    const sy = fold(y - pad, canvas.height);
    for (let x = 0; x < w; x++) {
      const i = sy * canvas.width + fold(x - pad, canvas.width);
      const o = (y * w + x) * channels;
      const n = lattice(x, y, 77) - 0.5;
      for (let k = 0; k < 3; k++) bytes[o + k] = toByte(canvas.rgb[i * 3 + k]! * 255 + n);
      if (canvas.alpha) bytes[o + 3] = Math.round(canvas.alpha[i]! * 255);
    }
  }
  let image = sharp(bytes, { raw: { width: w, height: h, channels } });
  if (enlarge) {
    const { data, info } = await image
      .resize(w * 2, h * 2, { kernel: 'lanczos3' })
      .raw()
      .toBuffer({ resolveWithObject: true });
    image = sharp(data, { raw: { width: info.width, height: info.height, channels: info.channels } }).extract({
      left: pad * 2,
      top: pad * 2,
      width: params.width,
      height: params.height,
    });
  }
  if (params.outputFormat === 'jpeg') return image.jpeg({ quality: 90, chromaSubsampling: '4:4:4' }).toBuffer();
  if (params.outputFormat === 'webp') return image.webp({ quality: 90, alphaQuality: 100, effort: 2 }).toBuffer();
  return image.png({ compressionLevel: 4, adaptiveFiltering: false }).toBuffer();
}
