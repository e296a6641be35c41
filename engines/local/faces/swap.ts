/** Puts the face of one photo on the face of another: warps its mesh, adapts its skin tone and softens its edge. */
import { EngineError, noFace, type SwapFace } from '../../contract/index.ts';
import { decode, type Made, make, type Raster } from '../raster.ts';
import { enlarge } from '../upscale/enlarge.ts';
import { type Face, findFaces } from '../vision/faces.ts';
import type { Point3 } from '../vision/mesh.ts';
import { around, type Closeup, closeup, paste } from './closeup.ts';
import { withoutNeedlessAlpha } from '../pixels/alpha.ts';
import { transplant } from './transplant.ts';

/** Longest face, in pixels; a larger one is swapped at this size. */
const longest = 1536;

export async function swapFace(params: SwapFace): Promise<Made> {
  const source = await decode(params.source);
  const target = await decode(params.target);
  const [sourceFace] = await findFaces(source);
  const [targetFace] = await findFaces(target);
  if (!sourceFace || !targetFace) throw missing(!sourceFace, !targetFace);
  const box = around(targetFace.box, 0.08, target);
  const zoom = Math.min(1, longest / Math.max(box.width, box.height));
  const to = await closeup(target, targetFace, box, zoom);
  const from = await likeSized(source, sourceFace, targetFace.box.height * zoom);
  const result = await paste(target, transplant(from, to), box);
  return make('local/face-mesh', withoutNeedlessAlpha(result), params.outputFormat);
}

function missing(inSource: boolean, inTarget: boolean): EngineError {
  const where = [inSource && 'source', inTarget && 'target'].filter(Boolean).join(' and the ');
  const images = inSource && inTarget ? 'images' : 'image';
  return new EngineError('face_not_found', `No face in the ${where} ${images}.`, {
    publicMessage: noFace(`the ${where} ${images}`),
  });
}

/** Brings the source face to the size of the target face, with the neural upscaler if it is much smaller. */
async function likeSized(image: Raster, face: Face, height: number): Promise<Closeup> {
  const box = around(face.box, 0.15, image);
  const ratio = height / face.box.height;
  if (ratio < 1.4) return closeup(image, face, box, Math.min(1, ratio * 1.1));
  const { image: small, points } = await closeup(image, face, box, 1);
  const large = await enlarge(small, 'slim-2x');
  return { image: large, points: points.map(([x, y, z]): Point3 => [x * 2, y * 2, z * 2]) };
}
