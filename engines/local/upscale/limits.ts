/** Limits the size of a result. */
import { EngineError, whyTooLarge, type InputImage, type Upscale } from '../../contract/index.ts';

/** @throws EngineError `input_invalid` if an enlarged image would exceed the service's or the format's limit */
export function refuseTooLarge(
  { width, height }: Pick<InputImage, 'width' | 'height'>,
  scale: number,
  format: Upscale['outputFormat'],
): void {
  const result = { width: width * scale, height: height * scale };
  const why = whyTooLarge(result, format, { width, height });
  if (why === null) return;
  throw new EngineError('input_invalid', `${result.width}×${result.height} pixels are too many`, {
    publicMessage: why,
  });
}
