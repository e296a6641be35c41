/** Pictures from words: the illustrator as a job. */
import { hamilton } from '../../../schemas/families/hamilton.ts';
import { quantum } from '../../../schemas/families/quantum.ts';
import { selena } from '../../../schemas/families/selena.ts';
import type { TextToImage } from '../../../schemas/tasks.ts';
import { EngineError } from '../../engine.ts';
import type { Made } from '../raster.ts';
import { draw } from './draw.ts';

const families = new Set<string>([selena.family, quantum.family, hamilton.family]);

export async function sketch(params: TextToImage, family: string): Promise<Made> {
  if (!families.has(family)) throw new EngineError('internal_error', `The local engine has no family "${family}".`);
  const { width, height, seed } = params;
  return { model: 'local/sketch', bytes: await draw(family, params), width, height, seed };
}
