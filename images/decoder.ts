/** Decodes untrusted images: the only way for bytes of clients and providers to a decoder. */
import { mostPixelsOut } from '../schemas/image.ts';
import type { Conversion, Refusal } from './conversions.ts';
import { decodeLimits, type DecodeLimits } from './decode-limits.ts';
import type { DecodeReply, DecodeRequest } from './decoder-process.ts';
import { readPicture } from './header.ts';
import { createProcessPool, ProcessEnded } from './process-pool.ts';

interface Converted {
  bytes: Uint8Array;
  /** Pixels. */
  width: number;
  height: number;
}

/** The converted image, or the reason for which there is none. */
export type ConversionResult = Converted | { refused: Refusal };

export interface Decoder {
  /**
   * Checks the format and the dimensions in the header, then converts the image in a process with limits.
   * @throws the signal's reason, or `ProcessEnded` when SIGKILL has ended several processes, as the kernel does when memory is short
   */
  convert(file: Uint8Array, conversion: Conversion, signal: AbortSignal): Promise<ConversionResult>;
  close(): Promise<void>;
}

interface DecoderOptions {
  /** Maximum number of processes, each of which takes 70 MB and the memory of one image. */
  processes?: number;
  /** Milliseconds after which an unused process ends. */
  idleTimeout?: number;
  limits?(pixels: number, bytes: number): DecodeLimits;
}

/** Maximum attempts for one file. A process may end for another reason than its file. */
const maxAttempts = 3;

export function createDecoder({
  processes = 2,
  idleTimeout = 60_000,
  limits = decodeLimits,
}: DecoderOptions = {}): Decoder {
  const pool = createProcessPool<DecodeRequest, DecodeReply>({
    entry: new URL('./decoder-process.ts', import.meta.url),
    size: processes,
    idleTimeout,
    isLast: ({ isSpent }) => isSpent,
  });
  return {
    async convert(file, conversion, signal) {
      const picture = readPicture(file);
      if (!picture) return { refused: 'not-an-image' };
      const pixels = picture.width * picture.height;
      if (pixels > mostPixelsOut) return { refused: 'image-too-large' };
      const size = conversion.to === 'result' ? conversion.size : null;
      const most = Math.max(pixels, size ? size.width * size.height : 0);
      const request = { file, conversion, limits: limits(most, file.byteLength) };
      for (let attempt = 1; ; attempt++) {
        try {
          const { outcome } = await pool.run(request, signal);
          return 'refused' in outcome ? outcome : { ...outcome, bytes: outcome.bytes ?? file };
        } catch (error) {
          if (!(error instanceof ProcessEnded)) throw error;
          if (attempt < maxAttempts) continue;
          // The kernel has ended the process, so the file may be intact.
          if (error.isKilled) throw error;
          return { refused: 'not-an-image' };
        }
      }
    },
    close: () => pool.close(),
  };
}
