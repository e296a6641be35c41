/** Refines all faces in an image in one of three ways, and leaves the rest unchanged. */
import { EngineError, type RefineFace } from '../../contract/index.ts';
import { decode, type Made, make } from '../raster.ts';
import { requireFaces } from '../vision/faces.ts';
import { around, closeup } from './closeup.ts';
import { headMask } from './masks.ts';
import { addChange, toPlanes } from './planes.ts';
import { refiners } from './refiners.ts';
import { withoutNeedlessAlpha } from '../pixels/alpha.ts';

/** Longer side of a close-up, in pixels; a larger face is refined at this size and keeps its finer detail. */
const longest = 1536;

export async function refineFace(params: RefineFace, model: string): Promise<Made> {
  const refine = refiners.get(model);
  if (!refine) throw new EngineError('internal_error', `Unknown face refiner "${model}".`);
  const image = await decode(params.image);
  const faces = await requireFaces(image);
  const result = { ...image, data: new Uint8Array(image.data) };
  // The large network would take minutes for a crowd.
  const network = faces.length > 3 ? 'slim' : 'thick';
  for (const face of faces) {
    const box = around(face.box, 0.28, image);
    const cut = await closeup(image, face, box, Math.min(1, longest / Math.max(box.width, box.height)));
    addChange(result.data, image.width, box, toPlanes(cut.image), await refine(cut, network), headMask(cut));
  }
  return make(`local/${model}`, withoutNeedlessAlpha(result), params.outputFormat);
}
