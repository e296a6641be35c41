/** The size that a call's result is to have, and whether it may. */
import type { Size } from '../../schemas/request.ts';
import { whyTooLarge } from '../../schemas/sizes.ts';
import type { InputImage, Task } from '../../schemas/tasks.ts';
import { type EngineCall, EngineError } from '../contract/index.ts';

/** @returns pixels; null where the call leaves it to the model */
export function wantedSize(task: Task, params: Readonly<Record<string, unknown>>): Size | null {
  if (task === 'text-to-image') return { width: Number(params['width']), height: Number(params['height']) };
  const image = imageIn(params);
  if (!image) return null;
  const { width, height } = image;
  const scale = Number(params['scale'] ?? 1);
  const ratio = /^(\d+):(\d+)$/u.exec(typeof params['aspectRatio'] === 'string' ? params['aspectRatio'] : '');
  if (!ratio) return { width: width * scale, height: height * scale };
  const shape = Number(ratio[1]) / Number(ratio[2]);
  // The largest of this shape within the image: an edit crops or extends, and gains no pixels by it.
  return width / height > shape
    ? { width: Math.round(height * shape), height }
    : { width, height: Math.round(width / shape) };
}

/** What a provider would be paid for, and we could not hand on. @throws EngineError `input_invalid` with words for the client */
export function refuseTooLarge({ task, params }: EngineCall): void {
  const result = wantedSize(task, { ...params });
  if (!result || !('outputFormat' in params)) return;
  const why = whyTooLarge(result, params.outputFormat, imageIn({ ...params }));
  if (why === null) return;
  const { width, height } = result;
  throw new EngineError('input_invalid', `${width}×${height} pixels are too many`, { publicMessage: why });
}

/** The one whose size counts. */
function imageIn(params: Readonly<Record<string, unknown>>): InputImage | null {
  const image = (params['image'] ?? params['target']) as InputImage | undefined;
  return image && typeof image.width === 'number' ? image : null;
}
