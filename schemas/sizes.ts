/** Whether what a request asks for would become too large, as far as the sizes of its images are known. */
import { mostPixelsOut } from './image.ts';
import type { RuleFailure, Size } from './request.ts';

/** @param size of the image that is enlarged; undefined while it is not known */
export function refuseScale(scale: number, size: Size | undefined): RuleFailure[] {
  if (!size || size.width * size.height * scale ** 2 <= mostPixelsOut) return [];
  const result = `${size.width * scale}×${size.height * scale}`;
  const message = `would make ${result} pixels of ${size.width}×${size.height}. No result has more than 64 megapixels.`;
  return [{ path: '/scale', rule: 'size', message }];
}
