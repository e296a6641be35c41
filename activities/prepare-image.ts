/** The engine of `prepare-image`: converts an input image for all other engines to upright, sRGB, 8 bits, without metadata. */
import { EngineError, type Engine, type EngineImage } from '../engines/contract/index.ts';
import { inputEngine } from '../schemas/plan.ts';
import type { Decoder } from '../images/decoder.ts';
import { readPicture, refusePicture } from '../images/header.ts';

/** @param decoder closed by its owner */
export function createPreparer(decoder: Decoder): Engine {
  return {
    name: inputEngine,
    tasks: ['prepare-image'],
    async run(call, { signal }) {
      if (call.task !== 'prepare-image')
        throw new EngineError('internal_error', `The engine "inputs" does not support the task ${call.task}`);
      const { field, file } = call.params;
      return { model: inputEngine, images: [await prepare(decoder, { field, file }, signal)] };
    },
    close: () => Promise.resolve(),
  };
}

/** @throws EngineError `input_invalid` with a message for the client */
async function prepare(
  decoder: Decoder,
  { field, file }: { field: string; file: Uint8Array },
  signal: AbortSignal,
): Promise<EngineImage> {
  const picture = readPicture(file);
  if (!picture) throw invalid(field, 'is not a PNG, JPEG or WebP image, or is damaged.');
  const refusal = refusePicture(picture, file.byteLength);
  if (refusal) throw invalid(field, refusal);
  const result = await decoder.convert(file, { to: 'input' }, signal);
  if ('refused' in result) {
    const isCostly = result.refused === 'image-too-costly';
    throw invalid(
      field,
      isCostly ? 'takes too much time or memory to decode. Save it again.' : 'is damaged or cut off.',
    );
  }
  const { width, height } = result;
  const contentType = picture.contentType === 'image/jpeg' ? 'image/jpeg' : 'image/png';
  return { bytes: result.bytes, contentType, width, height, seed: null };
}

function invalid(field: string, reason: string): EngineError {
  return new EngineError('input_invalid', `An input image ${reason}`, {
    publicMessage: `The image in "${field}" ${reason}`,
  });
}
