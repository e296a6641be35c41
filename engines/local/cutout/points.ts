/** Finds the object that points mark. */
import { EngineError, type Point } from '../../contract/index.ts';
import { contains } from '../pixels/box.ts';
import { extreme, kept, partsOf, withoutHoles } from '../pixels/parts.ts';
import { mapped, type Plane, plane } from '../pixels/plane.ts';
import { resizedPlane } from '../pixels/resample.ts';
import type { Raster } from '../raster.ts';
import { findObjects } from '../vision/objects.ts';
import { attention, certain } from './attention.ts';
import { barrier, borderOf } from './barrier.ts';
import { softEdges } from './edges.ts';
import { grabCut, known, reducedForCut } from './grabcut.ts';
import { likelyIn } from './instances.ts';

/**
 * Returns the mask of the object that the points mark.
 * @throws EngineError `input_invalid` when no point is on the object, one is outside the image, or two contradict
 */
export async function pointMask(image: Raster<3 | 4>, points: readonly Point[]): Promise<Raster<1>> {
  check(image, points);
  const small = await reducedForCut(image);
  const { width, height } = small;
  const marks = (wanted: Point['label']): Uint8Array => {
    const out = new Uint8Array(width * height);
    for (const { x, y, label } of points) {
      const row = Math.floor(((y + 0.5) * height) / image.height);
      if (label === wanted) out[row * width + Math.floor(((x + 0.5) * width) / image.width)] = 1;
    }
    return extreme('greatest', out, width, height, Math.floor(Math.max(width, height) * 0.008));
  };
  const [on, off] = [marks(1), marks(0)];
  const onObject = points.filter(({ label }) => label === 1);
  const thing = await thingAt(image, small, onObject, on);
  const cut = grabCut(small, guessOf(small, on, off, thing), 4);
  const parts = partsOf(cut, width, height);
  const touched = new Set(parts.labels.filter((_, i) => on[i]));
  const object = kept(cut, parts, (label) => touched.has(label));
  const whole = withoutHoles(object, width, height, cut.length * 0.0004);
  const allowed = Float32Array.from(whole, (value, i) => (off[i] ? 0 : value));
  const clean = plane(width, height, allowed);
  // Keeps the network's doubt for soft edges without crossing the cut.
  const doubtful = (value: number, i: number) => (clean.data[i] ? Math.max(0.5, value) : Math.min(0.5, value));
  const likely = thing ? mapped(thing, doubtful) : clean;
  return softEdges(image, likely, clean, 0.02);
}

function check({ width, height }: Raster<3 | 4>, points: readonly Point[]): void {
  if (!points.some((point) => point.label === 1)) {
    throw refused('At least one point must lie on the object, with label 1.');
  }
  const contradicted = (point: Point) =>
    points.some((other) => other.x === point.x && other.y === point.y && other.label !== point.label);
  if (points.some(contradicted)) throw refused('A point cannot lie both on the object and beside it.');
  if (points.some(({ x, y }) => x < 0 || y < 0 || x >= width || y >= height)) {
    throw refused(`A point lies outside the image, which is ${width} × ${height} pixels.`);
  }
}

function refused(publicMessage: string): EngineError {
  return new EngineError('input_invalid', publicMessage, { publicMessage });
}

/** Returns the smallest detected object that all points lie on, or else the image's subject. */
async function thingAt(
  image: Raster<3 | 4>,
  { width, height }: Raster<3>,
  points: readonly Point[],
  on: Uint8Array,
): Promise<Plane | null> {
  const boxes = (await findObjects(image))
    .filter(({ box, score }) => score >= 0.4 && points.every((point) => contains(box, point)))
    .map(({ box }) => box)
    .sort((a, b) => a.width * a.height - b.width * b.height);
  const marked = (map: Plane) => {
    const look = resizedPlane(map, width, height);
    return look.data.every((value, i) => !on[i] || value > 0.6) ? look : null;
  };
  for (const box of boxes) {
    const look = marked(await likelyIn(image, [box]));
    if (look) return look;
  }
  const { map, peak } = await attention(image);
  return peak >= certain ? marked(map) : null;
}

/**
 * Guesses for each pixel whether its colour is nearer to the object's points or to the background.
 * @param on 1 around points on the object
 * @param off 1 around points on the background
 * @param thing likelihood of the object that the points lie on; null if none was found
 */
function guessOf(image: Raster<3>, on: Uint8Array, off: Uint8Array, thing: Plane | null): Uint8Array {
  const here = barrier(image, on, 1).data;
  const marked = off.includes(1);
  const outside = thing ? off : away(image, here, off);
  const there = outside.includes(1) ? barrier(image, outside, 1).data : null;
  const guess = (cost: number, i: number) => {
    if (on[i]) return known.object;
    if (off[i] || (thing && thing.data[i]! < 0.1)) return known.background;
    if (thing && thing.data[i]! > 0.9 && !marked) return known.object;
    const nearer = there === null || cost < there[i]!;
    return nearer && (!thing || thing.data[i]! > 0.5) ? known.maybeObject : known.maybeBackground;
  };
  return new Uint8Array(here.map(guess));
}

/** Returns the background points, and the parts of the border that differ from the object. */
function away({ width, height }: Raster<3>, here: Float32Array, off: Uint8Array): Uint8Array {
  const border = borderOf(width, height);
  const most = here.reduce((highest, value) => Math.max(highest, value), 0);
  return off.map((value, i) => (value || (border[i] && here[i]! > 0.4 * most) ? 1 : 0));
}
