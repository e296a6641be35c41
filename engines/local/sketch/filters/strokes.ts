/** Brush strokes laid along the forms of the picture, from broad to fine. */
import type { Canvas } from '../canvas.ts';
import { type Colour } from '../colour.ts';
import { grainTexture } from '../noise.ts';
import type { Random } from '../random.ts';
import { blur } from '../../pixels/blur.ts';
import { clamp } from '../../pixels/range.ts';
import { lumaOf } from '../../pixels/luma.ts';

export interface Brush {
  /** Pixels. */
  readonly width: number;
  readonly length: number;
  /** Strokes per brush area: 1 covers once. */
  readonly cover: number;
  readonly opacity: number;
  /** How much bristles show, 0–1. */
  readonly bristle: number;
  /** How far colours stray, 0–1. */
  readonly jitter: number;
  /** A turn that all strokes share instead of following form; null follows form. */
  readonly angle: number | null;
  /** Only where detail is: skips calm places. 0 paints everywhere. */
  readonly detail: number;
}

/** The direction along the forms at every `cell` pixels. */
function directions(
  canvas: Canvas,
  cell: number,
  sigma: number,
): (x: number, y: number) => { angle: number; strength: number } {
  const { width, height } = canvas;
  const grey = lumaOf(canvas.rgb);
  const columns = Math.ceil(width / cell);
  const rows = Math.ceil(height / cell);
  const tensor = new Float32Array(columns * rows * 3);
  for (let j = 0; j < rows; j++)
    for (let i = 0; i < columns; i++) {
      const o = (j * columns + i) * 3;
      for (let dy = 0; dy < cell; dy += 2)
        for (let dx = 0; dx < cell; dx += 2) {
          const x = clamp(i * cell + dx, 1, width - 2);
          const y = clamp(j * cell + dy, 1, height - 2);
          const p = y * width + x;
          const gx = grey[p + 1]! - grey[p - 1]!;
          const gy = grey[p + width]! - grey[p - width]!;
          tensor[o] = tensor[o]! + gx * gx;
          tensor[o + 1] = tensor[o + 1]! + gx * gy;
          tensor[o + 2] = tensor[o + 2]! + gy * gy;
        }
    }
  const soft = blur(tensor, columns, rows, 3, Math.max(1, sigma / cell));
  return (x, y) => {
    const o = (Math.min(rows - 1, Math.floor(y / cell)) * columns + Math.min(columns - 1, Math.floor(x / cell))) * 3;
    const [xx, xy, yy] = [soft[o]!, soft[o + 1]!, soft[o + 2]!];
    return { angle: 0.5 * Math.atan2(2 * xy, xx - yy) + Math.PI / 2, strength: Math.sqrt(xx + yy) };
  };
}

export function strokes(
  canvas: Canvas,
  random: Random,
  brushes: readonly Brush[],
  ground?: (x: number, y: number) => Colour,
): void {
  const { width, height } = canvas;
  const source = canvas.rgb;
  const along = directions(canvas, 6, 14 * canvas.unit);
  const grain = grainTexture(random.fork(), 64, 2);
  const out = new Float32Array(source.length);
  if (ground) {
    for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) out.set(ground(x, y), (y * width + x) * 3);
  } else out.set(blur(source, width, height, 3, 4 * canvas.unit));
  for (const brush of brushes) {
    const total = Math.round((brush.cover * width * height) / (brush.width * brush.length));
    const phase = random.fork() & 255;
    for (let s = 0; s < total; s++) {
      const x = random.next() * width;
      const y = random.next() * height;
      const p = (Math.floor(y) * width + Math.floor(x)) * 3;
      const { angle, strength } = along(x, y);
      if (brush.detail > 0 && strength < brush.detail * 0.1 && random.chance(0.85)) continue;
      const turn = brush.angle ?? (strength > 0.01 ? angle : Math.sin(x * 0.004 + y * 0.007) * 0.8);
      paintStroke(
        out,
        width,
        height,
        x,
        y,
        turn + random.between(-0.18, 0.18),
        brush,
        source,
        p,
        random,
        grain,
        phase + s,
      );
    }
  }
  canvas.rgb = out;
}

function paintStroke(
  out: Float32Array,
  width: number,
  height: number,
  x: number,
  y: number,
  angle: number,
  brush: Brush,
  source: Float32Array,
  p: number,
  random: Random,
  grain: Float32Array,
  lane: number,
): void {
  const light = 1 + random.between(-0.5, 0.5) * brush.jitter;
  const r = source[p]! * light + random.between(-0.25, 0.25) * brush.jitter;
  const g = source[p + 1]! * light + random.between(-0.25, 0.25) * brush.jitter;
  const b = source[p + 2]! * light + random.between(-0.25, 0.25) * brush.jitter;
  const half = (brush.length / 2) * random.between(0.6, 1.2);
  const thick = (brush.width / 2) * random.between(0.7, 1.15);
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const rx = Math.abs(c) * half + Math.abs(s) * thick + 1;
  const ry = Math.abs(s) * half + Math.abs(c) * thick + 1;
  const x0 = Math.max(0, Math.floor(x - rx));
  const x1 = Math.min(width - 1, Math.ceil(x + rx));
  const y0 = Math.max(0, Math.floor(y - ry));
  const y1 = Math.min(height - 1, Math.ceil(y + ry));
  const row = (lane * 7) & 255;
  for (let py = y0; py <= y1; py++)
    for (let px = x0; px <= x1; px++) {
      const u = (px - x) * c + (py - y) * s;
      const v = -(px - x) * s + (py - y) * c;
      const end = half - Math.abs(u);
      const edge = thick - Math.abs(v) + 0.5;
      if (end <= 0 || edge <= 0) continue;
      const hair = grain[(((Math.round(v * 6) + row) & 255) << 8) | ((Math.round(u * 0.4) + lane * 13) & 255)]! - 0.5;
      const a = Math.min(1, edge) * Math.min(1, (end / half) * 4 + hair * brush.bristle * 1.6) * brush.opacity;
      if (a <= 0) continue;
      const k = 1 + hair * brush.bristle * 0.5;
      const o = (py * width + px) * 3;
      out[o] = out[o]! + (r * k - out[o]!) * a;
      out[o + 1] = out[o + 1]! + (g * k - out[o + 1]!) * a;
      out[o + 2] = out[o + 2]! + (b * k - out[o + 2]!) * a;
    }
}
