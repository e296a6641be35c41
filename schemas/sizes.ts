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
  const longest = longestSide[format] ?? Infinity;
  if (Math.max(width, height) <= longest) return [];
  return [
    {
      path: '/outputFormat',
      rule: 'size',
      message: `cannot be ${format}: scale ${scale} ${would}, and ${format} takes ${longest} a side. Use png.`,
    },
  ];
}

/** Whether a format can hold a result of the size of an image. */
export function refuseFormat(size: Size | undefined, format: OutputFormat): RuleFailure[] {
  const longest = longestSide[format] ?? Infinity;
  if (!size || Math.max(size.width, size.height) <= longest) return [];
  const message = `cannot be ${format}, which takes ${longest} pixels a side: the image has ${size.width}×${size.height}. Use png.`;
  return [{ path: '/outputFormat', rule: 'size', message }];
}
