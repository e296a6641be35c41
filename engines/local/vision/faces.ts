/** Finds the faces in an image, near and far, and describes their shapes and identities. */
import { EngineError, noFace } from '../../contract/index.ts';
import type { Raster } from '../raster.ts';
import { run } from './backend.ts';
import { type Candidate, detect } from './detector.ts';
import { findMesh, type Point3, squareOf } from './mesh.ts';
import { type Box, boxAround } from '../pixels/box.ts';
import { fitting, resized } from '../pixels/resize.ts';
import { sample, type Square } from './sample.ts';

/** A face in pixels of the image. */
export interface Face {
  /** Box around the mesh, from the hairline to the chin. It can extend beyond the image. */
  box: Box;
  /** 468 points in the order of MediaPipe's face mesh. */
  mesh: readonly Point3[];
  /** Confidence that this is a face, 0–1. */
  score: number;
}

/** Lowest scores. With lower ones, the detector finds faces in rocks and in folds of cloth. */
const minDetection = 0.5;
const minMesh = 0.93;
/** Pixels along the smallest usable face; a smaller one shows no features. */
const smallest = 16;

/** Returns the faces, the largest first. */
export async function findFaces(image: Raster<3 | 4>): Promise<Face[]> {
  const small = await resized(image, fitting(image, 1600));
  const zoom = image.width / small.width;
  const faces: Face[] = [];
  for (const squares of searches(small)) {
    const candidates: Candidate[] = [];
    for (const square of squares) candidates.push(...(await detect(small, square, minDetection)));
    candidates.sort((a, b) => b.score - a.score);
    for (const { x, y, size, angle } of candidates) {
      const square = { x: x * zoom, y: y * zoom, size: size * zoom, angle };
      if (square.size < smallest || faces.some((face) => covers(face, square))) continue;
      const face = await shape(image, square);
      if (face && !faces.some((other) => covers(other, squareOf(face.mesh, 1)))) faces.push(face);
    }
    // A large face in front is the subject; a closer search would only add people behind it.
    if (faces.some((face) => face.box.height > squares[0]!.size * zoom * 0.2)) break;
  }
  return faces.sort((a, b) => b.box.width * b.box.height - a.box.width * a.box.height);
}

/** @throws EngineError `face_not_found` */
export async function requireFaces(image: Raster<3 | 4>): Promise<[Face, ...Face[]]> {
  const [largest, ...others] = await findFaces(image);
  if (largest) return [largest, ...others];
  throw new EngineError('face_not_found', 'No face in the image.', {
    publicMessage: noFace(),
  });
}

/** Yields squares to search: the whole image, with room around it for faces that fill it, then halves and quarters. */
function* searches({ width, height }: Raster<3 | 4>): Generator<Square[]> {
  const long = Math.max(width, height);
  const whole = { x: width / 2, y: height / 2, angle: 0 };
  yield [1, 1.7].map((room) => ({ ...whole, size: long * room }));
  for (const parts of [2, 4]) {
    const size = long / parts;
    if (size < 192) return;
    const centers = (length: number) => {
      const count = Math.max(1, Math.ceil((length - size) / (size * 0.7)) + 1);
      return Array.from({ length: count }, (_, k) =>
        count === 1 ? length / 2 : size / 2 + (k * (length - size)) / (count - 1),
      );
    };
    yield centers(height).flatMap((y) => centers(width).map((x) => ({ x, y, size, angle: 0 })));
  }
}

function covers(face: Face, { x, y, size }: Square): boolean {
  const [cx, cy] = [face.box.x + face.box.width / 2, face.box.y + face.box.height / 2];
  return Math.hypot(cx - x, cy - y) < 0.45 * Math.max(size, face.box.width, face.box.height);
}

/** Fits the mesh twice: the second time, the square is turned and cut by the first mesh, which makes the points exact. */
async function shape(image: Raster<3 | 4>, square: Square): Promise<Face | null> {
  const first = await findMesh(image, { ...square, size: square.size * 1.5 });
  if (first.score < 0.3) return null;
  const { points, score } = await findMesh(image, squareOf(first.points));
  if (score < minMesh) return null;
  return { box: boxAround(points.map(([x, y]) => ({ x, y, width: 0, height: 0 }))), mesh: points, score };
}

/** Returns 1024 numbers that are the more similar, the more similar two people look. */
export async function describeFace(image: Raster<3 | 4>, face: Face): Promise<readonly number[]> {
  const pixels = sample(image, squareOf(face.mesh, 1.4), 224);
  const [description] = await run('faceres', pixels, 1024);
  return Array.from(description!);
}
