/** Rejects requests whose result would be too large: on arrival if the sizes of the input images are known, and again before the engine call. */
import { longestSide, mostPixelsOut, type OutputFormat } from './image.ts';
import type { RuleFailure, Size } from './request.ts';

const limitMessage = `No result may have more than ${mostPixelsOut / 1_000_000} megapixels.`;

/** Rejects a scale whose result would be too large. @param size of the input image; undefined if unknown */
export function refuseScale(scale: number, size: Size | undefined, format: OutputFormat): RuleFailure[] {
  if (!size) return [];
  const [width, height] = [size.width * scale, size.height * scale];
  const would = `would enlarge ${size.width}×${size.height} to ${width}×${height} pixels`;
  if (width * height > mostPixelsOut) {
    return [{ path: '/scale', rule: 'size', message: `${would}. ${limitMessage}` }];
  }
  return refuseFormat({ width, height }, format);
}

/** Rejects a format that cannot hold the result. @param size of the result; undefined if unknown */
export function refuseFormat(size: Size | undefined, format: OutputFormat): RuleFailure[] {
  const longest = longestSide[format] ?? Infinity;
  if (!size || Math.max(size.width, size.height) <= longest) return [];
  const message = `cannot be ${format}: its limit is ${longest} pixels per side, and the result would have ${size.width}×${size.height}. Use png.`;
  return [{ path: '/outputFormat', rule: 'size', message }];
}

/**
 * Returns why a result of this size is not allowed, as a message for the client; null if it is allowed.
 * @param image the input image, if any
 */
export function whyTooLarge(result: Size, format: OutputFormat, image: Size | null): string | null {
  const { width, height } = result;
  if (width * height > mostPixelsOut) {
    if (!image) return limitMessage;
    return `${limitMessage} The image is ${image.width}×${image.height} pixels: ${adviceFor(image)}.`;
  }
  const longest = longestSide[format] ?? Infinity;
  if (Math.max(width, height) <= longest) return null;
  return `The result would have ${width}×${height} pixels, and the limit of ${format} is ${longest} per side. Use png.`;
}

function adviceFor({ width, height }: Size): string {
  const fitting = [4, 2].find((scale) => width * height * scale * scale <= mostPixelsOut);
  return fitting === undefined
    ? `the scale 2 allows at most ${mostPixelsOut / 4_000_000} megapixels`
    : `the largest scale that fits is ${fitting}`;
}
