/** How large a result may be. */
import { mostPixelsOut } from '../../../schemas/image.ts';
import type { InputImage, Upscale } from '../../../schemas/tasks.ts';
import { EngineError } from '../../engine.ts';
import { refuseResult } from '../raster.ts';

/** @throws EngineError where an enlarged image would have too many pixels */
export function refuseTooLarge(
  { width, height }: Pick<InputImage, 'width' | 'height'>,
  scale: number,
  format: Upscale['outputFormat'],
): void {
  const size = `The image is ${width}×${height} pixels`;
  const result = `${width * scale}×${height * scale}`;
  if (width * height * scale * scale > mostPixelsOut) {
    const fitting = [4, 2, 1].find((smaller) => width * height * smaller * smaller <= mostPixelsOut)!;
    const advice =
      fitting === 1
        ? `it may have ${mostPixelsOut / 4_000_000} megapixels to be enlarged twofold`
        : `the largest scale that fits is ${fitting}`;
    throw new EngineError('input_invalid', `${result} is more than ${mostPixelsOut} pixels`, {
      publicMessage: `No result may have more than ${mostPixelsOut / 1_000_000} megapixels. ${size}: ${advice}.`,
    });
  }
  refuseResult({ width: width * scale, height: height * scale }, format);
}
