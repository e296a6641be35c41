/** Whether what a request asks for would become too large, as far as the sizes of its images are known. */
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
