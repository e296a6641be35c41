/** The picture while it is painted: colour, and plane (what lies in front of what) of every pixel. */
import { blend, mixInto, type Colour } from './colour.ts';

export interface Canvas {
  readonly width: number;
  readonly height: number;
  /** Interleaved, 0–1 (may overshoot until it is encoded). */
  rgb: Float32Array;
  /** 0 is the sky or the wall; higher numbers were painted later, and subjects begin at 16. */
  readonly plane: Uint8Array;
  /** Coverage of the subject, where the background is transparent. */
  alpha: Float32Array | null;
  /** One design pixel (a 1024-pixel picture's) in pixels of this one. */
  readonly unit: number;
}

export function createCanvas(width: number, height: number): Canvas {
  return {
    width,
    height,
    rgb: new Float32Array(width * height * 3),
    plane: new Uint8Array(width * height),
    alpha: null,
    unit: Math.sqrt(width * height) / 1024,
  };
}

/** Repaints the rows from `top` to before `bottom`; null leaves a pixel as it is. */
export function each(
  canvas: Canvas,
  change: (r: number, g: number, b: number, x: number, y: number, i: number) => Colour | null,
  top = 0,
  bottom = canvas.height,
): void {
  const { width, rgb } = canvas;
  const end = Math.min(canvas.height, bottom);
  for (let y = Math.max(0, Math.floor(top)); y < end; y++)
    for (let x = 0, i = y * width, p = i * 3; x < width; x++, i++, p += 3) {
      const c = change(rgb[p]!, rgb[p + 1]!, rgb[p + 2]!, x, y, i);
      if (c === null) continue;
      rgb[p] = c[0];
      rgb[p + 1] = c[1];
      rgb[p + 2] = c[2];
    }
}

/** Paints a plane that begins, in each column, at the row that `line` gives, with a soft edge. */
export function below(
  canvas: Canvas,
  line: Float32Array,
  plane: number,
  colour: (x: number, y: number, i: number) => Colour,
  bottom = canvas.height,
): void {
  const paintAt = (r: number, g: number, b: number, x: number, y: number, i: number) => {
    const cover = y - line[x]! + 0.5;
    if (cover <= 0) return null;
    canvas.plane[i] = plane;
    return cover < 1 ? blend([r, g, b], colour(x, y, i), cover) : colour(x, y, i);
  };
  each(canvas, paintAt, Math.min(...line), bottom);
}

/** Paints a soft disc: a leaf cluster, a star, a light. `hardness` 1 has a crisp edge; no plane leaves planes as they are. */
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
  if (opacity <= 0) return;
  const reach = radius + 0.5;
  for (let y = Math.max(0, Math.ceil(cy - reach)); y <= Math.min(canvas.height - 1, cy + reach); y++) {
    const half = Math.sqrt(reach * reach - (y - cy) * (y - cy));
    const last = Math.min(canvas.width - 1, Math.floor(cx + half));
    for (let x = Math.max(0, Math.ceil(cx - half)); x <= last; x++) {
      const d = Math.sqrt((x - cx) * (x - cx) + (y - cy) * (y - cy));
      const soft = Math.max(0, 1 - d / radius);
      const a = Math.min(1, reach - d) * (hardness + (1 - hardness) * soft * soft) * opacity;
      if (a > 0) dab(canvas, y * canvas.width + x, colour, a, plane);
    }
  }
}

function dab(canvas: Canvas, i: number, colour: Colour, a: number, plane: number | null): void {
  mixInto(canvas.rgb, i * 3, colour, a);
  if (plane !== null && a > 0.5) canvas.plane[i] = plane;
}

/** Paints a horizontal run with fractional ends, of which trees, houses and hulls are built. */
export function run(
  canvas: Canvas,
  y: number,
  from: number,
  to: number,
  colour: Colour | ((t: number) => Colour),
  opacity: number,
  plane: number | null,
): void {
  if (y < 0 || y >= canvas.height) return;
  for (let x = Math.max(0, Math.floor(from)); x < Math.min(canvas.width, to); x++) {
    const cover = Math.min(x + 1, to) - Math.max(x, from);
    const c = typeof colour === 'function' ? colour((x + 0.5 - from) / (to - from)) : colour;
    dab(canvas, y * canvas.width + x, c, cover * opacity, plane);
  }
}

/** Stacks runs from one row to before another. */
export function stack(
  canvas: Canvas,
  top: number,
  bottom: number,
  ends: (y: number) => readonly [from: number, to: number],
  colour: Colour | ((t: number, y: number) => Colour),
  plane: number | null,
  opacity = 1,
): void {
  for (let y = Math.floor(top); y < bottom; y++) {
    const [from, to] = ends(y);
    run(canvas, y, from, to, typeof colour === 'function' ? (t) => colour(t, y) : colour, opacity, plane);
  }
}
