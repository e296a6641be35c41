/** Makes a provider's picture what the call asked for: its size, its format, its channels. */
import sharp, { type Metadata, type Sharp } from 'sharp';
import { mostPixelsOut } from '../../schemas/image.ts';
import type { EngineCall, EngineImage } from '../contract/index.ts';
import { failureOf } from './failures.ts';
import { wantedSize } from './size.ts';

/** Bytes of a picture that a provider gives, at most: a PNG of 64 megapixels that compresses badly. */
export const mostBytesOut = 200 * 1024 * 1024;

/** Seconds; a file that takes longer to decode was made to do so. */
const longestDecode = 60;

/** Their answers are one channel of gray. */
const gray: readonly EngineCall['task'][] = ['segment', 'estimate-depth'];

const types = { png: 'image/png', jpeg: 'image/jpeg', webp: 'image/webp' } as const;

/**
 * A picture that is as asked keeps its bytes. Any other is cut to the shape, resized and encoded anew, and so is one
 * with text inside: ComfyUI writes its whole workflow there, prompt included.
 * @param who the provider, for operators
 * @throws EngineError when it is no picture, or none that the call asked for
 */
export async function conform(who: string, bytes: Uint8Array, call: EngineCall, seed: number | null) {
  if (bytes.byteLength === 0) throw failureOf(who, 'not-an-image');
  const image = sharp(bytes, { limitInputPixels: mostPixelsOut, failOn: 'error' }).timeout({ seconds: longestDecode });
  const found = await image.metadata().catch((error: unknown) => {
    const isLarge = error instanceof Error && /pixel limit/u.test(error.message);
    throw failureOf(who, isLarge ? 'too-large-an-image' : 'not-an-image');
  });
  if (!isKnown(found.format)) throw failureOf(who, 'not-an-image');
  if (found.width * found.height > mostPixelsOut) throw failureOf(who, 'too-large-an-image');
  if (isTransparent(call) && !found.hasAlpha) throw failureOf(who, 'not-transparent');
  const format = 'outputFormat' in call.params ? call.params.outputFormat : 'png';
  const { width, height } = wantedSize(call.task, { ...call.params }) ?? found;
  const isPlain = ![found.exif, found.xmp, found.iptc, found.comments].some(Boolean) && !gray.includes(call.task);
  const isAsAsked = isPlain && found.format === format && found.width === width && found.height === height;
  const whole = { width, height, contentType: types[format], seed };
  // Decoded all the same: what is broken must not reach a client as a picture. Who asks for the last row reads them all.
  if (isAsAsked) {
    await decoded(
      who,
      image
        .clone()
        .extract({ left: 0, top: height - 1, width, height: 1 })
        .raw()
        .toBuffer(),
    );
    return { ...whole, bytes } satisfies EngineImage;
  }
  const fitted = shaped(image, found, { width, height });
  const file = gray.includes(call.task) ? fitted.removeAlpha().grayscale().toColourspace('b-w') : fitted;
  // JPEG has no alpha: what is transparent would become black.
  const solid = format === 'jpeg' ? file.flatten({ background: '#ffffff' }) : file;
  const encoded = await decoded(
    who,
    solid.toFormat(format, { quality: 92, ...(format === 'png' && pngOptions) }).toBuffer(),
  );
  return { ...whole, bytes: encoded } satisfies EngineImage;
}

/** `quality` would make a palette of a PNG. */
const pngOptions = { quality: 100, compressionLevel: 6, palette: false };

/** Cut around the middle where the shape differs, so that nothing is squeezed. */
function shaped(image: Sharp, found: Metadata, size: { width: number; height: number }): Sharp {
  const upright = image.autoOrient().toColourspace('srgb');
  const isSame = found.width === size.width && found.height === size.height;
  return isSame ? upright : upright.resize({ ...size, fit: 'cover', position: 'centre', kernel: 'lanczos3' });
}

function isTransparent({ task, params }: EngineCall): boolean {
  if (task === 'remove-background') return true;
  return 'transparentBackground' in params && params.transparentBackground && !params.backgroundMayStay;
}

const isKnown = (format: string): boolean => Object.hasOwn(types, format);

async function decoded<T>(who: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch {
    throw failureOf(who, 'not-an-image');
  }
}
