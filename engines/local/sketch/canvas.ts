/** The picture while it is painted: colour, plane (what lies in front of what) and distance of every pixel. */
import type { Colour } from './colour.ts';

export interface Canvas {
  readonly width: number;
  readonly height: number;
  /** Interleaved, 0–1 (may overshoot until it is encoded). */
  rgb: Float32Array;
  /** 0 is the sky or the wall, higher numbers were painted later. */
  readonly plane: Uint8Array;
  /** Coverage of the subject, where the background is to be transparent. */
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

/** Lays a colour over one pixel. */
function dab(canvas: Canvas, x: number, y: number, colour: Colour, opacity: number): void {
  if (x < 0 || y < 0 || x >= canvas.width || y >= canvas.height || opacity <= 0) return;
  const p = (y * canvas.width + x) * 3;
  const { rgb } = canvas;
  rgb[p] = rgb[p]! + (colour[0] - rgb[p]!) * opacity;
  rgb[p + 1] = rgb[p + 1]! + (colour[1] - rgb[p + 1]!) * opacity;
  rgb[p + 2] = rgb[p + 2]! + (colour[2] - rgb[p + 2]!) * opacity;
}

/** A soft disc: a leaf cluster, a star, a light. `hardness` 1 has a crisp edge. */
export function disc(
  canvas: Canvas,
  cx: number,
  cy: number,
  radius: number,
  colour: Colour,
  opacity: number,
  hardness = 1,
  plane = -1,
): void {
  const x0 = Math.max(0, Math.floor(cx - radius - 1));
  const x1 = Math.min(canvas.width - 1, Math.ceil(cx + radius + 1));
  const y0 = Math.max(0, Math.floor(cy - radius - 1));
  const y1 = Math.min(canvas.height - 1, Math.ceil(cy + radius + 1));
  for (let y = y0; y <= y1; y++)
    for (let x = x0; x <= x1; x++) {
      const d = Math.sqrt((x - cx) * (x - cx) + (y - cy) * (y - cy));
      const crisp = radius - d + 0.5;
      if (crisp <= 0) continue;
      const soft = 1 - d / radius;
      const a = Math.min(1, crisp) * (hardness + (1 - hardness) * Math.max(0, soft) * Math.max(0, soft));
      dab(canvas, x, y, colour, opacity * a);
      if (plane >= 0 && a * opacity > 0.5) canvas.plane[y * canvas.width + x] = plane;
    }
}

/** A horizontal run with fractional ends: the brick that trees, houses and hulls are built of. */
export function run(
  canvas: Canvas,
  y: number,
  from: number,
  to: number,
  colour: (t: number) => Colour,
  opacity: number,
  plane: number,
): void {
  if (y < 0 || y >= canvas.height || to <= from) return;
  const x0 = Math.max(0, Math.floor(from));
  const x1 = Math.min(canvas.width - 1, Math.floor(to));
  for (let x = x0; x <= x1; x++) {
    const cover = Math.min(x + 1, to) - Math.max(x, from);
    if (cover <= 0) continue;
    dab(canvas, x, y, colour((x + 0.5 - from) / (to - from)), Math.min(1, cover) * opacity);
    if (cover > 0.5) canvas.plane[y * canvas.width + x] = plane;
  }
}
