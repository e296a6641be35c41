/** The size that a call's result is to have. */
import type { Size } from '../../schemas/request.ts';
import type { InputImage, Task } from '../../schemas/tasks.ts';

/** @returns pixels; null where the call leaves it to the model */
export function wantedSize(task: Task, params: Readonly<Record<string, unknown>>): Size | null {
  if (task === 'text-to-image') return { width: Number(params['width']), height: Number(params['height']) };
  const image = (params['image'] ?? params['target']) as InputImage | undefined;
  if (!image || typeof image.width !== 'number') return null;
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
