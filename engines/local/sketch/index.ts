/** Runs the task `text-to-image`: draws a picture for a prompt. */
import { EngineError, hamilton, quantum, selena, type TextToImage } from '../../contract/index.ts';
import { dress } from '../dna/dress.ts';
import { decode, type Made, make } from '../raster.ts';
import { draw } from './draw.ts';

const families = new Set<string>([selena.family, quantum.family, hamilton.family]);

export async function sketch(params: TextToImage, model: string): Promise<Made> {
  // The model `style-dna` applies an encoded style to a picture of the first family.
  const family = model === 'style-dna' ? selena.family : model;
  if (!families.has(family)) throw new EngineError('internal_error', `The local engine has no family "${family}".`);
  const { width, height, seed, styleDna, outputFormat } = params;
  if (styleDna == null) return { model: 'local/sketch', bytes: await draw(family, params), width, height, seed };
  const picture = await decode({ bytes: await draw(family, { ...params, outputFormat: 'png' }) });
  return make('local/sketch', dress(picture, styleDna, { amount: 1, seed }), outputFormat, seed);
}
