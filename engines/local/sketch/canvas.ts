/** The picture while it is painted: the colour of every pixel, and the plane (layer) that the pixel belongs to. */
import { blend, mixInto, type Colour } from './colour.ts';

export interface Canvas {
  readonly width: number;
  readonly height: number;
  /** Interleaved colours of 0–1; values may exceed the range until the picture is encoded. */
  rgb: Float32Array;
  /** Layer of each pixel: 0 for the sky or a wall, higher for layers painted later, from 16 for subjects. */
  readonly plane: Uint8Array;
  /** Opacity of each pixel, 0–1; null for an opaque picture. */
  alpha: Float32Array | null;
  /** Pixels of this canvas per design pixel; sizes are designed for a canvas of 1024 × 1024 pixels. */
  readonly unit: number;
}

export type Size = Pick<Canvas, 'width' | 'height'>;

export function createCanvas(width: number, height: number): Canvas {
  const [rgb, plane] = [new Float32Array(width * height * 3), new Uint8Array(width * height)];
  return { width, height, rgb, plane, alpha: null, unit: Math.sqrt(width * height) / 1024 };
}

type Paint = (x: number, y: number, i: number) => Colour;
type Change = (r: number, g: number, b: number, x: number, y: number, i: number) => Colour | null;

/** Repaints every pixel. Where `change` returns null, the pixel stays as it is. */
export function each(canvas: Canvas, change: Change): void {
  eachWithin(canvas, 0, canvas.height, change);
}

/** Repaints the rows from `top` to `bottom` (exclusive) like `each`. */
export function eachWithin({ width, height, rgb }: Canvas, top: number, bottom: number, change: Change): void {
  const end = Math.min(height, bottom);
  for (let y = Math.max(0, Math.floor(top)); y < end; y++)
    for (let x = 0, i = y * width, p = i * 3; x < width; x++, i++, p += 3) {
      const c = change(rgb[p]!, rgb[p + 1]!, rgb[p + 2]!, x, y, i);
      if (c === null) continue;
      rgb[p] = c[0];
      rgb[p + 1] = c[1];
      rgb[p + 2] = c[2];
    }
}

/** Paints a plane below `line`, which has one row per column, down to `bottom` (exclusive), with a soft upper edge. */
export function below(canvas: Canvas, line: Float32Array, plane: number, colour: Paint, bottom = canvas.height): void {
  eachWithin(canvas, Math.min(...line), bottom, (r, g, b, x, y, i) => {
    const cover = y - line[x]! + 0.5;
    if (cover <= 0) return null;
    canvas.plane[i] = plane;
    return cover < 1 ? blend([r, g, b], colour(x, y, i), cover) : colour(x, y, i);
  });
}

/** Paints a disc, such as a star. A `hardness` of 1 gives a crisp edge. A `plane` of null does not change planes. */
export function disc(
  canvas: Canvas,
  cx: number,
  cy: number,
  radius: number,
  colour: Colour,
  opacity: number,
  hardness = 1,
  plane: number | null = null,
): void {
  const reach = radius + 0.5;
  for (let y = Math.max(0, Math.ceil(cy - reach)); y <= Math.min(canvas.height - 1, cy + reach); y++)
    for (let x = Math.max(0, Math.ceil(cx - reach)); x <= Math.min(canvas.width - 1, cx + reach); x++) {
      const d = Math.sqrt((x - cx) * (x - cx) + (y - cy) * (y - cy));
      const soft = Math.max(0, 1 - d / radius);
      const a = Math.min(1, reach - d) * (hardness + (1 - hardness) * soft * soft) * opacity;
      if (a > 0) dab(canvas, y * canvas.width + x, colour, a, plane);
    }
}

function dab(canvas: Canvas, i: number, colour: Colour, a: number, plane: number | null): void {
  mixInto(canvas.rgb, i * 3, colour, a);
  if (plane !== null && a > 0.5) canvas.plane[i] = plane;
}

/**
 * Paints a shape row by row from `top` to `bottom` (exclusive). `ends` gives the ends of each row, which may be
 * fractional; `colour` may depend on the position along the row, 0–1, and on the row.
 */
export function stack(
  canvas: Canvas,
  top: number,
  bottom: number,
  ends: (y: number) => readonly [from: number, to: number],
  colour: Colour | ((t: number, y: number) => Colour),
  plane: number | null,
  opacity = 1,
): void {
  const last = Math.min(canvas.height, bottom);
  for (let y = Math.max(0, Math.floor(top)); y < last; y++) {
    const [from, to] = ends(y);
    for (let x = Math.max(0, Math.floor(from)); x < Math.min(canvas.width, to); x++) {
      const cover = Math.min(x + 1, to) - Math.max(x, from);
      const c = typeof colour === 'function' ? colour((x + 0.5 - from) / (to - from), y) : colour;
      dab(canvas, y * canvas.width + x, c, cover * opacity, plane);
    }
  }
}
