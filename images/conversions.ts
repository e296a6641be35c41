/** The conversions of untrusted images. They run in the processes of `decoder.ts`. */
import sharp, { type Metadata, type Sharp } from 'sharp';
import { mostPixelsOut, type OutputFormat } from '../schemas/image.ts';

/** A client's image, which becomes upright, sRGB, 8 bits, without metadata; a JPEG stays one, any other becomes a PNG. */
interface InputConversion {
  to: 'input';
}

/** A provider's image, which becomes what its call requests. */
export interface ResultConversion {
  to: 'result';
  format: OutputFormat;
  /** Null keeps the size of the image. */
  size: { width: number; height: number } | null;
  /** Whether the result has one gray channel. */
  isGray: boolean;
  /** The transparency that the image must have: an alpha channel, or also a transparent pixel. */
  alpha: 'any' | 'channel' | 'transparent';
  /** Whether a black image is refused. For masks, which are gray and white on the object. */
  needsObject: boolean;
}

export type Conversion = InputConversion | ResultConversion;

export type Refusal = 'not-an-image' | 'image-too-large' | 'image-too-costly' | 'not-transparent' | 'nothing-found';

interface Converted {
  /** Null when the file already is what the conversion requests. */
  bytes: Uint8Array | null;
  /** Pixels. */
  width: number;
  height: number;
}

/** The converted image, or the reason for which there is none. */
export type Outcome = Converted | { refused: Refusal };

/** Converts an image whose header has been checked. */
export async function convert(file: Uint8Array, conversion: Conversion): Promise<Outcome> {
  const image = sharp(file, { limitInputPixels: mostPixelsOut, failOn: 'error' });
  try {
    const found = await image.metadata();
    return await (conversion.to === 'input' ? toInput(image, found) : toResult(image, found, conversion));
  } catch {
    return { refused: 'not-an-image' };
  }
}

async function toInput(image: Sharp, { format }: Metadata): Promise<Converted> {
  const upright = image.autoOrient().toColourspace('srgb');
  // Lossless, except for a JPEG, which would become ten times larger.
  const encoded =
    format === 'jpeg'
      ? upright.jpeg({ quality: 95, chromaSubsampling: '4:4:4' })
      : upright.png({ compressionLevel: 3, palette: false });
  const { data: bytes, info } = await encoded.toBuffer({ resolveWithObject: true });
  return { bytes, width: info.width, height: info.height };
}

/**
 * Leaves an image that already matches unchanged. Any other image is cropped, resized and encoded again, and so is an
 * image with metadata: ComfyUI stores its whole workflow there, including the prompt.
 */
async function toResult(
  image: Sharp,
  found: Metadata,
  { format, size, isGray, alpha, needsObject }: ResultConversion,
): Promise<Outcome> {
  if (alpha !== 'any' && !found.hasAlpha) return { refused: 'not-transparent' };
  if (alpha === 'transparent' && (await image.stats()).isOpaque) return { refused: 'not-transparent' };
  const { width, height } = size ?? found;
  const hasMetadata = [found.exif, found.xmp, found.iptc, found.comments].some(Boolean);
  if (!hasMetadata && !isGray && found.format === format && found.width === width && found.height === height) {
    // Decoding the last row decodes the whole file, so a damaged image does not reach a client.
    await image
      .extract({ left: 0, top: height - 1, width, height: 1 })
      .raw()
      .toBuffer();
    return { bytes: null, width, height };
  }
  const fitted = fit(image, found, { width, height });
  const channels = isGray ? fitted.removeAlpha().grayscale().toColourspace('b-w') : fitted;
  // JPEG has no alpha; transparent pixels would become black.
  const solid = format === 'jpeg' ? channels.flatten({ background: '#ffffff' }) : channels;
  const bytes = await solid.toFormat(format, format === 'png' ? pngOptions : { quality: 92 }).toBuffer();
  if (needsObject) {
    const { channels: planes } = await sharp(bytes).stats();
    if (planes.every(({ max }) => max < minObjectValue)) return { refused: 'nothing-found' };
  }
  return { bytes, width, height };
}

/** Minimum gray value of an object in a mask; lower values are soft edges or the noise of JPEG. */
const minObjectValue = 128;

/** A lower `quality` would convert a PNG to a palette. */
const pngOptions = { quality: 100, compressionLevel: 6, palette: false };

/** Crops around the centre where the shape differs, so that nothing is distorted. */
function fit(image: Sharp, found: Metadata, size: { width: number; height: number }): Sharp {
  const upright = image.autoOrient().toColourspace('srgb');
  const isSame = found.width === size.width && found.height === size.height;
  return isSame ? upright : upright.resize({ ...size, fit: 'cover', position: 'centre', kernel: 'lanczos3' });
}
