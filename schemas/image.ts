/** What images can be: those that come in, and those of an artwork. */

export const roles = ['image', 'mask', 'depth', 'anchor'] as const;
export type Role = (typeof roles)[number];

export const outputFormats = ['png', 'jpeg', 'webp'] as const;
export type OutputFormat = (typeof outputFormats)[number];

/** Kinds of files that are taken. */
export const imageTypes = ['image/png', 'image/jpeg', 'image/webp'] as const;

/** Limits of an image that comes in: bytes of the file, pixels in all, pixels of its shorter side. */
export const mostBytes = 20 * 1024 * 1024;
export const mostPixels = 25_000_000;
export const shortestSide = 64;

/** Pixels that a side can have in a format; PNG takes all that we make. */
export const longestSide: Partial<Record<OutputFormat, number>> = { webp: 16_383, jpeg: 65_500 };

/** No result has more pixels. */
export const mostPixelsOut = 64_000_000;
