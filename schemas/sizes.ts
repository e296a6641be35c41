/** Whether what a request asks for would become too large: at its arrival, as far as the sizes of its images are known, and at its engine. */
import { longestSide, mostPixelsOut, type OutputFormat } from './image.ts';
import type { RuleFailure, Size } from './request.ts';

/** @param size of the image that is enlarged; undefined while it is not known */
export function refuseScale(scale: number, size: Size | undefined, format: OutputFormat): RuleFailure[] {
  if (!size) return [];
  const [width, height] = [size.width * scale, size.height * scale];
  const would = `would make ${width}×${height} pixels of ${size.width}×${size.height}`;
  if (width * height > mostPixelsOut) {
    return [{ path: '/scale', rule: 'size', message: `${would}. No result has more than 64 megapixels.` }];
  }
  return refuseFormat({ width, height }, format);
}

/** Whether a format can hold a result. @param size undefined while it is not known */
export function refuseFormat(size: Size | undefined, format: OutputFormat): RuleFailure[] {
  const longest = longestSide[format] ?? Infinity;
  if (!size || Math.max(size.width, size.height) <= longest) return [];
  const message = `cannot be ${format}, which takes ${longest} pixels a side: the result would have ${size.width}×${size.height}. Use png.`;
  return [{ path: '/outputFormat', rule: 'size', message }];
}

/**
 * Why no engine makes a result of this size, in words for the client; null when one may.
 * @param image that it is made of
 */
export function whyTooLarge(result: Size, format: OutputFormat, image: Size | null): string | null {
  const { width, height } = result;
  if (width * height > mostPixelsOut) {
    const most = `No result may have more than ${mostPixelsOut / 1_000_000} megapixels.`;
    return image ? `${most} The image is ${image.width}×${image.height} pixels: ${adviceFor(image)}.` : most;
  }
  const longest = longestSide[format] ?? Infinity;
  if (Math.max(width, height) <= longest) return null;
  return `The result would have ${width}×${height} pixels, and ${format} takes ${longest} a side. Ask for png.`;
}

function adviceFor({ width, height }: Size): string {
  const fitting = [4, 2].find((scale) => width * height * scale * scale <= mostPixelsOut);
  return fitting === undefined
    ? `it may have ${mostPixelsOut / 4_000_000} megapixels to be enlarged twofold`
    : `the largest scale that fits is ${fitting}`;
}
