/** Paints brush strokes along the forms of the picture, from broad to fine. */
import type { Canvas } from '../canvas.ts';
import { mixInto, times, type Colour } from '../colour.ts';
import { grainTexture } from '../noise.ts';
import type { Random } from '../random.ts';
import { blur } from '../../pixels/blur.ts';
import { lumaOf } from '../../pixels/luma.ts';

export interface Brush {
  /** Width and length of a stroke in pixels. */
  readonly width: number;
  readonly length: number;
  /** Strokes per brush area: 1 covers once. */
  readonly cover: number;
  readonly opacity: number;
  /** Visibility of the bristles, 0–1. */
  readonly bristle: number;
  /** Random deviation of colours, 0–1. */
  readonly jitter: number;
  /** Angle of all strokes; null lets strokes follow the forms. */
  readonly angle: number | null;
  /** Minimum detail at the places that are painted; 0 paints everywhere. */
  readonly detail: number;
}

/** Side in pixels of a cell of the grid on which forms are measured. */
const cell = 6;

/** Returns the blurred structure tensor (xx, xy, yy) of each cell, and the `offset` of the cell of a pixel. */
export function formsOf({ width, height, rgb, unit }: Pick<Canvas, 'width' | 'height' | 'rgb' | 'unit'>) {
  const grey = lumaOf(rgb);
  const [columns, rows] = [Math.ceil(width / cell), Math.ceil(height / cell)];
  const offset = (x: number, y: number) => (Math.floor(y / cell) * columns + Math.floor(x / cell)) * 3;
  const sums = new Float32Array(columns * rows * 3);
  for (let y = 1; y < height - 1; y += 2)
    for (let x = 1; x < width - 1; x += 2) {
      const p = y * width + x;
      const o = offset(x, y);
      const gx = grey[p + 1]! - grey[p - 1]!;
      const gy = grey[p + width]! - grey[p - width]!;
      sums[o]! += gx * gx;
      sums[o + 1]! += gx * gy;
      sums[o + 2]! += gy * gy;
    }
  return { offset, tensor: blur(sums, columns, rows, 3, Math.max(1, (14 * unit) / cell)) };
}

/** Repaints the picture with strokes. @param ground colour of the bare canvas; without it, a blur of the picture */
export function strokes(canvas: Canvas, random: Random, brushes: readonly Brush[], ground?: Colour): void {
  const { width, height, unit, rgb: source } = canvas;
  const { offset, tensor } = formsOf(canvas);
  const grain = grainTexture(random.fork(), 64, 2);
  canvas.rgb = ground ? source.map((_, p) => ground[p % 3]!) : blur(source, width, height, 3, 4 * unit);
  for (const brush of brushes) {
    const total = Math.round((brush.cover * width * height) / (brush.width * brush.length));
    const phase = random.fork() & 255;
    for (let s = 0; s < total; s++) {
      const [x, y] = [random.next() * width, random.next() * height];
      const o = offset(x, y);
      const [xx, xy, yy] = [tensor[o]!, tensor[o + 1]!, tensor[o + 2]!];
      const strength = Math.sqrt(xx + yy);
      if (brush.detail > 0 && strength < brush.detail * 0.1 && random.chance(0.85)) continue;
      const along = 0.5 * Math.atan2(2 * xy, xx - yy) + Math.PI / 2;
      const turn = brush.angle ?? (strength > 0.01 ? along : Math.sin(x * 0.004 + y * 0.007) * 0.8);
      const angle = turn + random.between(-0.18, 0.18);
      const p = (Math.floor(y) * width + Math.floor(x)) * 3;
      const light = 1 + random.between(-0.5, 0.5) * brush.jitter;
      const stray = (c: number) => source[p + c]! * light + random.between(-0.25, 0.25) * brush.jitter;
      const colour: Colour = [stray(0), stray(1), stray(2)];
      const half = (brush.length / 2) * random.between(0.6, 1.2);
      const thick = (brush.width / 2) * random.between(0.7, 1.15);
      paintStroke(canvas, { x, y, angle, half, thick, colour, lane: phase + s }, brush, grain);
    }
  }
}

/**
 * A stroke: its middle, angle, half length, half width and colour, and the row of the texture that gives its bristles.
 */
type Stroke = Readonly<Record<'x' | 'y' | 'angle' | 'half' | 'thick' | 'lane', number> & { colour: Colour }>;

function paintStroke(canvas: Canvas, stroke: Stroke, { bristle, opacity }: Brush, grain: Float32Array): void {
  const { x, y, angle, half, thick, colour, lane } = stroke;
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  // Avoids a division by zero. The bounds may be too wide, because each pixel is tested below.
  const [across, down] = [Math.abs(c) + 1e-6, Math.abs(s) + 1e-6];
  // Keeps the coordinates of the texture positive, because `&` rounds towards zero.
  const [column, row] = [lane * 13 + 256.5, lane * 7 + 1024.5];
  const reach = down * half + across * thick + 1;
  const bottom = Math.min(canvas.height - 1, Math.ceil(y + reach));
  for (let py = Math.max(0, Math.floor(y - reach)); py <= bottom; py++) {
    const dy = py - y;
    // The row crosses the stroke between its two ends and between its two sides.
    const [end, side] = [(-dy * s) / (c < 0 ? -across : across), (dy * c) / (s < 0 ? -down : down)];
    const [long, wide] = [half / across, (thick + 0.5) / down];
    const first = Math.max(0, Math.ceil(x + Math.max(end - long, side - wide)));
    const last = Math.min(canvas.width - 1, Math.floor(x + Math.min(end + long, side + wide)));
    for (let px = first; px <= last; px++) {
      const u = (px - x) * c + dy * s;
      const v = (x - px) * s + dy * c;
      const hair = grain[(((v * 6 + row) & 255) << 8) | ((u * 0.4 + column) & 255)]! - 0.5;
      const tip = (1 - Math.abs(u) / half) * 4 + hair * bristle * 1.6;
      const a = Math.min(1, thick - Math.abs(v) + 0.5) * Math.min(1, tip) * opacity;
      if (a > 0) mixInto(canvas.rgb, (py * canvas.width + px) * 3, times(colour, 1 + hair * bristle * 0.5), a);
    }
  }
}
