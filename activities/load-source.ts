/** Loads an input image of a request: from a URL, from an uploaded file, or from the stored request. */
import { EngineError } from '../engines/contract/index.ts';
import { readImageSource } from '../schemas/image-source.ts';
import { maxImageBytes } from '../schemas/image.ts';
import { inputFileName } from '../store/inputs.ts';
import { loadUpload } from '../store/uploads.ts';
import type { Dependencies } from './dependencies.ts';

/** Milliseconds that a download may take. */
const downloadTimeout = 30_000;

/** @throws EngineError `input_unreachable` or `input_invalid`, with a message for the client */
export async function loadSource(
  { files, outbound }: Pick<Dependencies, 'files' | 'outbound'>,
  { artworkId, field, source }: { artworkId: string; field: string; source: string },
  signal: AbortSignal,
): Promise<Uint8Array> {
  const read = readImageSource(source);
  if (read?.kind === 'url') {
    const result = await outbound.get(read.url, { limit: maxImageBytes, timeout: downloadTimeout, signal });
    if ('bytes' in result) return result.bytes;
    signal.throwIfAborted();
    const tooLarge = result.error === 'too large';
    throw new EngineError(
      tooLarge ? 'input_invalid' : 'input_unreachable',
      `An input image could not be fetched: ${result.error}`,
      {
        publicMessage: tooLarge
          ? `The image in "${field}" has more than 20 MB.`
          : `The image in "${field}" could not be fetched: ${result.error}.`,
      },
    );
  }
  const bytes =
    read?.kind === 'stored'
      ? await files.load(artworkId, inputFileName(read.sha256))
      : read?.kind === 'file' && (await loadUpload(files, read.id));
  if (bytes) return bytes;
  const publicMessage = `The file in "${field}" has expired. Upload it again.`;
  throw new EngineError('input_unreachable', 'An uploaded file has expired', { publicMessage });
}
