/** Finds the object that points mark. */
import { EngineError, type Point } from '../../contract/index.ts';
import type { Raster } from '../raster.ts';
import { findObjects } from '../vision/objects.ts';
import { attention } from './attention.ts';
import { barrier, borderOf } from './barrier.ts';
import { softEdges } from './edges.ts';
import { grabCut, known } from './grabcut.ts';
import { likelyIn } from './instances.ts';
import type { Box } from '../pixels/box.ts';
import { kept, partsOf, withoutHoles } from '../pixels/parts.ts';
import { opaque } from '../pixels/alpha.ts';
import { mapped, type Plane, plane } from '../pixels/plane.ts';
import { fitting, resized } from '../pixels/resize.ts';
import { resizedPlane } from '../pixels/resample.ts';
import { certain, type Saliency } from './u2netp.ts';

/** Longer side, in pixels: GrabCut's time grows faster than the number of pixels. */
const side = 320;

/**
 * Returns the mask of the object that the points mark.
 * @throws EngineError `input_invalid` when no point is on the object, one is outside the image, or two contradict
 */
export async function pointMask(image: Raster<3 | 4>, points: readonly Point[]): Promise<Raster<1>> {
  check(image, points);
  const small = await resized(opaque(image), fitting(image, side, 3), 'mitchell');
  const { width, height } = small;
  const on = discs(image, small, points, 1);
  const off = discs(image, small, points, 0);
  const thing = await thingAt(image, small, on);
  const guess = guessOf(small, { on, off, thing });
  const cut = grabCut(small, guess, 4);
  const touched = new Set<number>();
  const parts = partsOf(cut, width, height);
  on.forEach((value, i) => {
    if (value) touched.add(parts.labels[i]!);
  });
  const whole = withoutHoles(
    kept(cut, parts, (label) => touched.has(label)),
    width,
    height,
    cut.length * 0.0004,
  );
  const clean = plane(width, height, new Float32Array(whole.map((value, i) => (off[i] ? 0 : value))));
  const likely = thing ? mapped(thing, (value, i) => between(value, clean.data[i]!)) : clean;
  return softEdges(image, likely, clean, { band: 0.006, reach: 0.02 });
}

/** Keeps the network's doubt for soft edges without crossing the cut. */
function between(likely: number, cut: number): number {
  return cut ? Math.max(0.5, likely) : Math.min(0.5, likely);
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

/** Returns 1 around each point with the label. */
function discs(image: Raster<3 | 4>, { width, height }: Raster<3>, points: readonly Point[], label: 0 | 1): Uint8Array {
  const out = new Uint8Array(width * height);
  const radius = Math.max(width, height) * 0.008;
  for (const point of points) {
    if (point.label !== label) continue;
    const [cx, cy] = [((point.x + 0.5) * width) / image.width, ((point.y + 0.5) * height) / image.height];
    out[Math.floor(cy) * width + Math.floor(cx)] = 1;
    for (let i = 0; i < out.length; i++) {
      if (Math.hypot((i % width) + 0.5 - cx, Math.floor(i / width) + 0.5 - cy) <= radius) out[i] = 1;
    }
  }
  return out;
}

/** Returns the smallest detected object that all points lie on, or else the image's subject. */
async function thingAt(image: Raster<3 | 4>, size: Raster<3>, on: Uint8Array): Promise<Plane | null> {
  const zoom = image.width / size.width;
  const inside = (test: (i: number) => boolean) => on.every((point, i) => !point || test(i));
  const holds = (box: Box) =>
    inside((i) => {
      const [x, y] = [((i % size.width) + 0.5) * zoom - box.x, (Math.floor(i / size.width) + 0.5) * zoom - box.y];
      return x >= 0 && y >= 0 && x < box.width && y < box.height;
    });
  const boxes = (await findObjects(image))
    .filter(({ score, box }) => score >= 0.4 && holds(box))
    .map(({ box }) => box)
    .sort((a, b) => a.width * a.height - b.width * b.height);
  let whole: Promise<Saliency> | undefined;
  const attended = () => (whole ??= attention(image));
  const marked = (map: Plane) => {
    const look = resizedPlane(map, size.width, size.height);
    return inside((i) => look.data[i]! > 0.6) ? look : null;
  };
  for (const box of boxes) {
    const look = marked(await likelyIn(image, [box], attended));
    if (look) return look;
  }
  const { map, peak } = await attended();
  return peak >= certain ? marked(map) : null;
}

interface Evidence {
  /** 1 around points on the object. */
  on: Uint8Array;
  /** 1 around points on the background. */
  off: Uint8Array;
  /** Likelihood of the object that the points lie on; null if none was found. */
  thing: Plane | null;
}

/** Guesses for each pixel whether its colour is nearer to the object's points or to the background. */
function guessOf(image: Raster<3>, { on, off, thing }: Evidence): Uint8Array {
  const here = barrier(image, on, 1).data;
  const marked = off.includes(1);
  const outside = thing ? off.slice() : away(image, here, off);
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
