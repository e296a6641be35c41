/** Returns a mask of the object that a noun names or that points mark. */
import { EngineError, type Segment } from '../../contract/index.ts';
import { decode, make, type Made } from '../raster.ts';
import { named } from './masks.ts';
import { pointMask } from './points.ts';

export async function segment({ image, prompt, points, outputFormat }: Segment): Promise<Made> {
  const raster = await decode(image);
  if (points && points.length > 0) return make('local/grabcut', await pointMask(raster, points), outputFormat);
  if (prompt === null) throw new EngineError('input_invalid', 'The call has neither a prompt nor points.');
  const { mask, model } = await named(raster, prompt);
  return make(model, mask, outputFormat);
}
