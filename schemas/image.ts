/** Formats, roles and limits of input images and of the images of an artwork. */

export const roles = ['image', 'mask', 'depth', 'anchor'] as const;
export type Role = (typeof roles)[number];

export const outputFormats = ['png', 'jpeg', 'webp'] as const;
export type OutputFormat = (typeof outputFormats)[number];

/** Content types of input images. */
export const imageTypes = ['image/png', 'image/jpeg', 'image/webp'] as const;
export type ImageType = (typeof imageTypes)[number];

/** Limits of an input image: bytes of the file, pixels in total, pixels of the shorter side. */
export const maxImageBytes = 20 * 1024 * 1024;
export const maxImagePixels = 25_000_000;
export const shortestSide = 64;

/** Maximum pixels per side of an output format. PNG can hold every image that this service makes. */
export const longestSide: Partial<Record<OutputFormat, number>> = { webp: 16_383, jpeg: 65_500 };

/** Maximum pixels of an output image. */
export const mostPixelsOut = 64_000_000;
