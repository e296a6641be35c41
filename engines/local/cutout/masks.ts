/** Makes masks of the objects that a noun names or points mark: white on the object, with soft edges. */
import { EngineError, nothingFound, type Segment } from '../../contract/index.ts';
import { inverted } from '../pixels/alpha.ts';
import { grown, within } from '../pixels/box.ts';
import { mapped } from '../pixels/plane.ts';
import { decode, make, type Made, type Raster } from '../raster.ts';
import { findFaces } from '../vision/faces.ts';
import { findObjects, type Found } from '../vision/objects.ts';
import { softEdges } from './edges.ts';
import { faceMask, headOval, ovals } from './faces.ts';
import { decided } from './grabcut.ts';
import { likelyIn } from './instances.ts';
import { pointMask } from './points.ts';
import { subjectOf } from './subject.ts';
import { nouns, understood } from './vocabulary.ts';

export async function segment({ image, prompt, points, outputFormat }: Segment): Promise<Made> {
  const raster = await decode(image);
  if (points && points.length > 0) return make('local/grabcut', await pointMask(raster, points), outputFormat);
  if (prompt === null) throw new EngineError('input_invalid', 'The call has neither a prompt nor points.');
  const { mask, model } = await named(raster, prompt);
  return make(model, mask, outputFormat);
}

/** Returns the subject's mask, or null when nothing stands out. */
export async function subjectMaskIfAny(image: Raster<3 | 4>): Promise<Raster<1> | null> {
  try {
    return (await subjectOf(image)).mask;
  } catch (error) {
    if (error instanceof EngineError && error.code === 'input_invalid') return null;
    throw error;
  }
}

/**
 * Returns the mask of the objects that a noun names, and the method that found them.
 * @throws EngineError `input_invalid` when the noun is unknown, or no such object is in the image
 */
export async function named(image: Raster<3 | 4>, noun: string): Promise<{ mask: Raster<1>; model: string }> {
  const known = understood(noun);
  if (!known) {
    throw new EngineError('input_invalid', 'The noun is not in the vocabulary.', {
      publicMessage: `Unknown object "${noun}". Supported objects: ${nouns.join(', ')}. Points can mark any other object.`,
    });
  }
  const { meaning } = known;
  switch (meaning.kind) {
    case 'subject':
      return subjectOf(image);
    case 'background': {
      const { mask, model } = await subjectOf(image);
      return { mask: inverted(mask), model };
    }
    case 'objects':
      return { mask: await objectsMask(image, meaning.labels, noun), model: 'local/u2netp' };
    case 'face':
    case 'head':
      return { mask: await facesMask(image, meaning.kind, noun), model: 'local/face-mesh' };
  }
}

/** Detections below this score are mostly wrong. */
const minScore = 0.3;

async function objectsMask(image: Raster<3 | 4>, labels: readonly string[], noun: string): Promise<Raster<1>> {
  const all = await findObjects(image);
  const found = all.filter((object) => labels.includes(object.label) && object.score >= minScore);
  if (found.length === 0) throw missing(noun);
  const boxes = sure(found).map((object) => object.box);
  const likely = await likelyIn(image, boxes);
  return softEdges(image, likely, await decided(image, likely));
}

/** Keeps at most twelve detections, and none with less than half the score of the best one. */
function sure(found: readonly Found[]): Found[] {
  const best = Math.max(...found.map((object) => object.score));
  return found.filter((object) => object.score >= best * 0.5).slice(0, 12);
}

async function facesMask(image: Raster<3 | 4>, part: 'face' | 'head', noun: string): Promise<Raster<1>> {
  const faces = await findFaces(image);
  if (faces.length === 0) throw missing(noun);
  if (part === 'face') return faceMask(image, faces);
  // From above the hair to the chest.
  const people = faces.map(({ box }) => within(grown(box, 1.2 * box.width, 1.3 * box.height), image));
  const likely = await likelyIn(image, people);
  const near = ovals(likely, image, faces, headOval);
  const head = mapped(likely, (value, i) => value * near.data[i]!);
  return softEdges(image, head, await decided(image, head));
}

function missing(noun: string): EngineError {
  return new EngineError('input_invalid', 'No object of the noun was found.', { publicMessage: nothingFound(noun) });
}
