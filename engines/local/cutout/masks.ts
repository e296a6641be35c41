/** Makes masks of the objects that a noun names: white on the object, soft at its edges, at the image's size. */
import { EngineError } from '../../contract/index.ts';
import type { Raster } from '../raster.ts';
import { findFaces } from '../vision/faces.ts';
import { findObjects, type Found } from '../vision/objects.ts';
import { decided } from './decide.ts';
import { cutoutEdges, softEdges } from './edges.ts';
import { facePlane, headPlane } from './faces.ts';
import { likelyIn } from './instances.ts';
import { inverted, maskOf } from '../pixels/alpha.ts';
import { mapped } from '../pixels/plane.ts';
import { resizedPlane } from '../pixels/resample.ts';
import { subjectOf } from './subject.ts';
import { nouns, type Understood, understood } from './vocabulary.ts';

/** Returns the subject's mask. @throws EngineError `input_invalid` when nothing stands out */
export async function subjectMask(image: Raster<3 | 4>): Promise<Raster<1>> {
  return (await subjectOf(image)).mask;
}

/** Returns the subject's mask, or null when nothing stands out. */
export async function subjectMaskIfAny(image: Raster<3 | 4>): Promise<Raster<1> | null> {
  try {
    return await subjectMask(image);
  } catch (error) {
    if (error instanceof EngineError && error.code === 'input_invalid') return null;
    throw error;
  }
}

/**
 * Returns the mask of the objects that a noun names.
 * @throws EngineError `input_invalid` when the noun is unknown, or no such object is in the image
 */
export async function nounMask(image: Raster<3 | 4>, noun: string): Promise<Raster<1>> {
  return (await named(image, noun)).mask;
}

export interface Named {
  mask: Raster<1>;
  /** The method that found the object. */
  model: string;
}

export async function named(image: Raster<3 | 4>, noun: string): Promise<Named> {
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
      return { mask: await objectsMask(image, meaning.labels, known), model: 'local/u2netp' };
    case 'face':
    case 'head':
      return { mask: await facesMask(image, meaning.kind, known), model: 'local/face-mesh' };
  }
}

/** Detections below this score are mostly wrong. */
const minScore = 0.3;

async function objectsMask(image: Raster<3 | 4>, labels: readonly string[], noun: Understood): Promise<Raster<1>> {
  const all = await findObjects(image);
  const found = all.filter((object) => labels.includes(object.label) && object.score >= minScore);
  if (found.length === 0) throw missing(noun);
  const boxes = sure(found).map((object) => object.box);
  const likely = await likelyIn(image, boxes);
  return softEdges(image, likely, await decided(image, likely), cutoutEdges);
}

/** Drops weak detections when there is a strong one. */
function sure(found: readonly Found[]): Found[] {
  const best = Math.max(...found.map((object) => object.score));
  return found.filter((object) => object.score >= best * 0.5).slice(0, 12);
}

async function facesMask(image: Raster<3 | 4>, part: 'face' | 'head', noun: Understood): Promise<Raster<1>> {
  const faces = await findFaces(image);
  if (faces.length === 0) throw missing(noun);
  if (part === 'face') return maskOf(resizedPlane(facePlane(image, faces), image.width, image.height));
  // From above the hair to the chest, in sizes of the face.
  const people = faces.map(({ box: { x, y, width, height } }) => {
    const [left, top] = [Math.max(0, x - 1.2 * width), Math.max(0, y - height)];
    const [right, bottom] = [Math.min(image.width, x + 2.2 * width), Math.min(image.height, y + 2.6 * height)];
    return { x: left, y: top, width: right - left, height: bottom - top };
  });
  const likely = await likelyIn(image, people);
  const ovals = headPlane(likely, image, faces);
  const head = mapped(likely, (value, i) => value * ovals.data[i]!);
  return softEdges(image, head, await decided(image, head), cutoutEdges);
}

function missing({ words, plural }: Understood): EngineError {
  return new EngineError('input_invalid', 'No object of the noun was found.', {
    publicMessage: `No ${words} ${plural ? 'were' : 'was'} found in the image.`,
  });
}
