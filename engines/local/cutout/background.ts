/** Removes the background. */
import type { RemoveBackground } from '../../contract/index.ts';
import { decode, make, type Made } from '../raster.ts';
import { foreground } from './decontaminate.ts';
import { subjectOf } from './subject.ts';

export async function removeBackground({ image, outputFormat }: RemoveBackground): Promise<Made> {
  const raster = await decode(image);
  const { mask, model } = await subjectOf(raster);
  return make(model, await foreground(raster, mask), outputFormat);
}
