/** The limits of a conversion: CPU time and memory that it may take. */

export interface DecodeLimits {
  /** Milliseconds of CPU time. Unlike time on a clock, it does not depend on the load of the machine. */
  cpuTime: number;
  /** Bytes of the whole process. */
  memory: number;
}

const mebibyte = 1024 * 1024;

/**
 * Returns limits that no honest file reaches. The slowest measured conversion was that of a WebP of 64 megapixels with noise
 * (0.3 s per megapixel), the largest a progressive JPEG and a 16-bit PNG of this size (17 bytes per pixel).
 * @param pixels of the file or of the result, whichever has more
 * @param bytes of the file
 */
export function decodeLimits(pixels: number, bytes: number): DecodeLimits {
  return { cpuTime: 10_000 + pixels / 1000, memory: 384 * mebibyte + 20 * pixels + 4 * bytes };
}
