/** The size that a call's result should have, and the check that we can deliver it. */
import type { Size } from '../../schemas/request.ts';
import { type EngineCall, EngineError, type InputImage, type Task, whyTooLarge } from '../contract/index.ts';

/** Returns the size in pixels, or null when the call leaves it to the model. */
export function resultSize(task: Task, params: Readonly<Record<string, unknown>>): Size | null {
  if (task === 'text-to-image') return { width: Number(params['width']), height: Number(params['height']) };
  const image = sizedImage(params);
  if (!image) return null;
  const { width, height } = image;
  const scale = Number(params['scale'] ?? 1);
  const ratio = /^(\d+):(\d+)$/u.exec(typeof params['aspectRatio'] === 'string' ? params['aspectRatio'] : '');
  if (!ratio) return { width: width * scale, height: height * scale };
  const shape = Number(ratio[1]) / Number(ratio[2]);
  // The largest rectangle of this shape within the image, because an edit adds no resolution.
  return width / height > shape
    ? { width: Math.round(height * shape), height }
    : { width, height: Math.round(width / shape) };
}

/** Rejects a result that we could not deliver, before it is paid for. @throws EngineError `input_invalid` */
export function rejectTooLarge({ task, params }: EngineCall): void {
  const result = resultSize(task, { ...params });
  if (!result || !('outputFormat' in params)) return;
  const publicMessage = whyTooLarge(result, params.outputFormat, sizedImage({ ...params }));
  if (publicMessage === null) return;
  const { width, height } = result;
  throw new EngineError('input_invalid', `The result would be too large (${width}×${height} pixels)`, {
    publicMessage,
  });
}

/** Returns the input image whose size the result has. */
function sizedImage(params: Readonly<Record<string, unknown>>): InputImage | null {
  const image = (params['image'] ?? params['target']) as InputImage | undefined;
  return image && typeof image.width === 'number' ? image : null;
}
