/** The engine of `prepare-image`: converts an input image for all other engines to upright, sRGB, 8 bits, without metadata. */
import sharp from 'sharp';
import { EngineError, type Engine, type EngineImage } from '../engines/contract/index.ts';
import { maxImagePixels } from '../schemas/image.ts';
import { inputEngine } from '../schemas/plan.ts';
import { readPicture, refusePicture } from '../images/header.ts';

/** Seconds. A file that takes longer to decode is an attack. */
const decodeTimeout = 30;

export const preparer: Engine = {
  name: inputEngine,
  tasks: ['prepare-image'],
  async run(call) {
    if (call.task !== 'prepare-image')
      throw new EngineError('internal_error', `The engine "inputs" does not support the task ${call.task}`);
    const { field, file } = call.params;
    return { model: inputEngine, images: [await prepare(field, file)] };
  },
  close: () => Promise.resolve(),
};

/** @throws EngineError `input_invalid` with a message for the client */
async function prepare(field: string, file: Uint8Array): Promise<EngineImage> {
  const picture = await readPicture(file);
  if (!picture) throw invalid(field, 'is not a PNG, JPEG or WebP image, or is damaged.');
  const refusal = refusePicture(picture, file.byteLength);
  if (refusal) throw invalid(field, refusal);
  const image = sharp(file, { limitInputPixels: maxImagePixels, failOn: 'error' })
    .timeout({ seconds: decodeTimeout })
    .autoOrient()
    .toColourspace('srgb');
  // Lossless, except for a JPEG, which would become ten times larger.
  const jpeg = picture.contentType === 'image/jpeg';
  const encoded = jpeg
    ? image.jpeg({ quality: 95, chromaSubsampling: '4:4:4' })
    : image.png({ compressionLevel: 3, palette: false });
  try {
    const { data, info } = await encoded.toBuffer({ resolveWithObject: true });
    const { width, height } = info;
    return { bytes: data, contentType: jpeg ? 'image/jpeg' : 'image/png', width, height, seed: null };
  } catch {
    throw invalid(field, 'is damaged or cut off.');
  }
}

function invalid(field: string, reason: string): EngineError {
  return new EngineError('input_invalid', `An input image ${reason}`, {
    publicMessage: `The image in "${field}" ${reason}`,
  });
}
