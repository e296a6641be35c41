/** Decodes files to pixels and encodes pixels to files. */
import sharp from 'sharp';
import { EngineError, whyTooLarge, type OutputFormat } from '../contract/index.ts';

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** 8-bit sRGB pixels, row by row, interleaved. Alpha is not premultiplied. */
export interface Raster<Channels extends 1 | 3 | 4 = 4> extends Size {
  readonly channels: Channels;
  readonly data: Uint8Array;
}

/** The encoded image that a task returns. */
export interface Made {
  /** Names what made the image: `local/esrgan`. */
  model: string;
  bytes: Uint8Array;
  width: number;
  height: number;
  seed: number | null;
}

/** Decodes a file to RGBA, which takes 4 bytes per pixel. */
export async function decode(image: { bytes: Uint8Array }): Promise<Raster> {
  const { data, info } = await sharp(image.bytes)
    .toColourspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, channels: 4, data };
}

/** Encodes pixels to a file. JPEG has no alpha: transparent pixels become white. */
export async function encode({ data, width, height, channels }: Raster<1 | 3 | 4>, format: OutputFormat) {
  const image = sharp(data, { raw: { width, height, channels }, limitInputPixels: false });
  if (format === 'jpeg') {
    return image.flatten({ background: '#ffffff' }).jpeg({ quality: 92, chromaSubsampling: '4:4:4' }).toBuffer();
  }
  if (format === 'webp') return image.webp({ quality: 92, alphaQuality: 100 }).toBuffer();
  const gray = channels === 1 ? image.toColourspace('b-w') : image;
  return gray.png({ compressionLevel: 6 }).toBuffer();
}

/** @throws EngineError `input_invalid` if a result of this size exceeds the service's or the format's limit */
export function refuseResult({ width, height }: Size, format: OutputFormat, source: Size | null = null): void {
  const publicMessage = whyTooLarge({ width, height }, format, source);
  if (publicMessage === null) return;
  throw new EngineError('input_invalid', `${width}×${height} pixels are too many, or too long for ${format}`, {
    publicMessage,
  });
}

export async function make(
  model: string,
  raster: Raster<1 | 3 | 4>,
  format: OutputFormat,
  seed: number | null = null,
): Promise<Made> {
  refuseResult(raster, format);
  const bytes = await encode(raster, format);
  return { model, bytes, width: raster.width, height: raster.height, seed };
}
