/** Enforces `maxInputPixels` of a binding before the call costs anything. The size is known only after the preparation. */
import type { Binding } from '../engines/catalogue.ts';
import { type EngineCall, EngineError, type InputImage } from '../engines/contract/index.ts';

/**
 * @param others the bindings with which the workflow can continue
 * @throws EngineError when an image is too large for the binding: `provider_unavailable` if another binding accepts it,
 * because the workflow then continues there, and otherwise `input_invalid`
 */
export function checkInputPixels({ params }: EngineCall, binding: Binding, others: readonly Binding[]): void {
  const accepts = ({ maxInputPixels = Infinity }: Binding) =>
    imagesIn(params).every(({ width, height }) => width * height <= maxInputPixels);
  if (accepts(binding)) return;
  const { engine, maxInputPixels } = binding;
  if (others.some(accepts)) {
    const message = `${engine} accepts images of at most ${maxInputPixels} pixels. Another engine takes this one`;
    throw new EngineError('provider_unavailable', message, { isPostponed: true });
  }
  const publicMessage = `The model accepts images of at most ${maxInputPixels} pixels. Send a smaller image, or choose a smaller size.`;
  throw new EngineError('input_invalid', `${engine} accepts no image of this size`, { publicMessage });
}

function imagesIn(params: EngineCall['params']): InputImage[] {
  return Object.values(params)
    .flat()
    .filter(
      (value): value is InputImage =>
        typeof value === 'object' && value !== null && 'width' in value && 'bytes' in value,
    );
}
