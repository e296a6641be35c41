/** Converts a provider's image to the size, format and channels that the call requests. */
import sharp, { type Metadata, type Sharp } from 'sharp';
import { type EngineCall, type EngineImage, mostPixelsOut } from '../contract/index.ts';
import { failureOf } from './failures.ts';
import { resultSize } from './result-size.ts';

/** Maximum bytes of a provider's image: a PNG of 64 megapixels that compresses badly. */
export const largestImage = 200 * 1024 * 1024;

/** Seconds. A file that takes longer to decode was made for this purpose. */
const decodeTimeout = 60;

/** Tasks whose result has one gray channel. */
const grayTasks: readonly EngineCall['task'][] = ['segment', 'estimate-depth'];

const contentTypes = { png: 'image/png', jpeg: 'image/jpeg', webp: 'image/webp' } as const;

/**
 * Returns an image that already matches the call unchanged. Any other image is cropped, resized and encoded again, and
 * so is an image with metadata: ComfyUI stores its whole workflow there, including the prompt.
 * @param who the engine's name, for operators
 * @throws EngineError when the bytes are not an image, or not one that fits the call
 */
export async function conform(who: string, bytes: Uint8Array, call: EngineCall, seed: number | null) {
  if (bytes.byteLength === 0) throw failureOf(who, 'not-an-image');
  const image = sharp(bytes, { limitInputPixels: mostPixelsOut, failOn: 'error' }).timeout({ seconds: decodeTimeout });
  const found = await image.metadata().catch((error: unknown) => {
    const isLarge = error instanceof Error && /pixel limit/u.test(error.message);
    throw failureOf(who, isLarge ? 'image-too-large' : 'not-an-image');
  });
  if (!Object.hasOwn(contentTypes, found.format)) throw failureOf(who, 'not-an-image');
  if (found.width * found.height > mostPixelsOut) throw failureOf(who, 'image-too-large');
  if (needsAlpha(call) && !found.hasAlpha) throw failureOf(who, 'not-transparent');
  const format = 'outputFormat' in call.params ? call.params.outputFormat : 'png';
  const { width, height } = resultSize(call.task, { ...call.params }) ?? found;
  const hasMetadata = [found.exif, found.xmp, found.iptc, found.comments].some(Boolean);
  const isGray = grayTasks.includes(call.task);
  const matches =
    !hasMetadata && !isGray && found.format === format && found.width === width && found.height === height;
  const properties = { width, height, contentType: contentTypes[format], seed };
  if (matches) {
    // Decoding the last row decodes the whole file, so a damaged image does not reach a client.
    const lastRow = image.clone().extract({ left: 0, top: height - 1, width, height: 1 });
    await decode(who, lastRow.raw().toBuffer());
    return { ...properties, bytes } satisfies EngineImage;
  }
  const fitted = fit(image, found, { width, height });
  const channels = isGray ? fitted.removeAlpha().grayscale().toColourspace('b-w') : fitted;
  // JPEG has no alpha; transparent pixels would become black.
  const solid = format === 'jpeg' ? channels.flatten({ background: '#ffffff' }) : channels;
  const options = format === 'png' ? pngOptions : { quality: 92 };
  const encoded = await decode(who, solid.toFormat(format, options).toBuffer());
  return { ...properties, bytes: encoded } satisfies EngineImage;
}

/** A lower `quality` would convert a PNG to a palette. */
const pngOptions = { quality: 100, compressionLevel: 6, palette: false };

/** Crops around the centre where the shape differs, so that nothing is distorted. */
function fit(image: Sharp, found: Metadata, size: { width: number; height: number }): Sharp {
  const upright = image.autoOrient().toColourspace('srgb');
  const isSame = found.width === size.width && found.height === size.height;
  return isSame ? upright : upright.resize({ ...size, fit: 'cover', position: 'centre', kernel: 'lanczos3' });
}

function needsAlpha({ task, params }: EngineCall): boolean {
  if (task === 'remove-background') return true;
  return 'transparentBackground' in params && params.transparentBackground && !params.backgroundMayStay;
}

/** @throws EngineError when the image cannot be decoded */
async function decode<T>(who: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch {
    throw failureOf(who, 'not-an-image');
  }
}
