/** Scales a requested size into the sizes that a model accepts. */

/** The sizes that a model accepts, in pixels. */
export interface SizeRange {
  /** Step of both sides. */
  multipleOf: number;
  minPixels: number;
  maxPixels: number;
  maxSide: number;
  /** Maximum ratio of the long side to the short one, a whole number. */
  maxRatio: number;
}

const fields = ['multipleOf', 'minPixels', 'maxPixels', 'maxSide', 'maxRatio'] as const satisfies (keyof SizeRange)[];
export const sizeRangeFields = fields.join(', ');

/** Returns whether an operator's range is complete and not empty. */
export function isSizeRange(range: SizeRange): boolean {
  return fields.every((name) => Number.isInteger(range[name]) && range[name] > 0) && range.minPixels <= range.maxPixels;
}

/**
 * Returns an accepted size that contains the requested one, or if there is none, the largest of its shape. The result is
 * then cropped and resized to the requested size.
 * @param size such as `1344x768`; any other word is returned unchanged
 */
export function fitSize(size: string, { multipleOf, minPixels, maxPixels, maxSide, maxRatio }: SizeRange): string {
  const [, width = 0, height = 0] = (/^(\d+)x(\d+)$/u.exec(size) ?? []).map(Number);
  if (!width || !height) return size;
  const wide = Math.max(width, height / maxRatio);
  const tall = Math.max(height, width / maxRatio);
  const pixels = wide * tall;
  const smallest = Math.sqrt(minPixels / pixels);
  const largest = Math.min(Math.sqrt(maxPixels / pixels), maxSide / Math.max(wide, tall));
  const scale = Math.min(Math.max(1, smallest), largest);
  const round = (side: number, toStep: (steps: number) => number) => toStep((side * scale) / multipleOf) * multipleOf;
  const larger = { width: round(wide, Math.ceil), height: round(tall, Math.ceil) };
  const fits = Math.max(larger.width, larger.height) <= maxSide && larger.width * larger.height <= maxPixels;
  if (fits) return `${larger.width}x${larger.height}`;
  const smaller = { width: round(wide, Math.floor), height: round(tall, Math.floor) };
  return `${Math.min(smaller.width, smaller.height * maxRatio)}x${Math.min(smaller.height, smaller.width * maxRatio)}`;
}
