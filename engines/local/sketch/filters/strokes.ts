/** Paints brush strokes along the forms of the picture, from broad to fine. */
import type { Canvas } from '../canvas.ts';
import { mixInto, times, type Colour } from '../colour.ts';
import { grainTexture } from '../noise.ts';
import type { Random } from '../random.ts';
import { blur } from '../../pixels/blur.ts';
import { lumaOf } from '../../pixels/luma.ts';

/** One size of brush; lengths are in design pixels. */
export interface Brush {
  readonly width: number;
  readonly length: number;
  /** Strokes per brush area: 1 covers once. */
  readonly cover: number;
  /** Random deviation of colours, 0–1. */
  readonly jitter: number;
  /** Detail below which most strokes are left out; by default, none are. */
  readonly detail?: number;
}

/** Side in pixels of a cell of the grid on which forms are measured. */
const cell = 6;

/** Returns the blurred structure tensor (xx, xy, yy) of each cell, and a function: the `offset` of a pixel's cell. */
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

/**
 * Repaints the picture with strokes that follow its forms.
 * @param bristle visibility of the bristles, 0–1
 * @param ground colour of the bare canvas; without it, a blur of the picture
 */
export function strokes(canvas: Canvas, random: Random, bristle: number, brushes: readonly Brush[], ground?: Colour) {
  const { width, height, unit, rgb: source } = canvas;
  const { offset, tensor } = formsOf(canvas);
  const grain = grainTexture(random.fork(), 64, 2);
  canvas.rgb = ground ? source.map((_, p) => ground[p % 3]!) : blur(source, width, height, 3, 4 * unit);
  for (const { cover, jitter, detail = 0, ...brush } of brushes) {
    const [wide, long] = [Math.max(2, brush.width * unit), Math.max(4, brush.length * unit)];
    const total = Math.round((cover * width * height) / (wide * long));
    const phase = random.fork() & 255;
    for (let s = 0; s < total; s++) {
      const [x, y] = [random.next() * width, random.next() * height];
      const o = offset(x, y);
      const [xx, xy, yy] = [tensor[o]!, tensor[o + 1]!, tensor[o + 2]!];
      const strength = Math.sqrt(xx + yy);
      if (strength < detail * 0.1 && random.chance(0.85)) continue;
      const along = 0.5 * Math.atan2(2 * xy, xx - yy) + Math.PI / 2;
      const turn = strength > 0.01 ? along : Math.sin(x * 0.004 + y * 0.007) * 0.8;
      const angle = turn + random.between(-0.18, 0.18);
      const p = (Math.floor(y) * width + Math.floor(x)) * 3;
      const light = 1 + random.between(-0.5, 0.5) * jitter;
      const stray = (c: number) => source[p + c]! * light + random.between(-0.25, 0.25) * jitter;
      const colour: Colour = [stray(0), stray(1), stray(2)];
      const half = (long / 2) * random.between(0.6, 1.2);
      const thick = (wide / 2) * random.between(0.7, 1.15);
      paintStroke(canvas, { x, y, angle, half, thick, colour, lane: phase + s }, bristle, grain);
    }
  }
}

/** A stroke: its middle, angle, half length, half width and colour, and the row of the texture with its bristles. */
type Stroke = Readonly<Record<'x' | 'y' | 'angle' | 'half' | 'thick' | 'lane', number> & { colour: Colour }>;

function paintStroke(canvas: Canvas, stroke: Stroke, bristle: number, grain: Float32Array): void {
  const { x, y, angle, half, thick, colour, lane } = stroke;
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  // Keeps the coordinates of the texture positive, because `&` rounds towards zero.
  const [column, row] = [lane * 13 + 256.5, lane * 7 + 1024.5];
  const [across, down] = [Math.abs(c) * half + Math.abs(s) * thick + 1, Math.abs(s) * half + Math.abs(c) * thick + 1];
  const right = Math.min(canvas.width - 1, Math.ceil(x + across));
  const bottom = Math.min(canvas.height - 1, Math.ceil(y + down));
  for (let py = Math.max(0, Math.floor(y - down)); py <= bottom; py++)
    for (let px = Math.max(0, Math.floor(x - across)); px <= right; px++) {
      const u = (px - x) * c + (py - y) * s;
      const v = (x - px) * s + (py - y) * c;
      const cover = Math.min(1, thick - Math.abs(v) + 0.5);
      if (cover <= 0) continue;
      const hair = grain[(((v * 6 + row) & 255) << 8) | ((u * 0.4 + column) & 255)]! - 0.5;
      const tip = (1 - Math.abs(u) / half) * 4 + hair * bristle * 1.6;
      const a = cover * Math.min(1, tip) * 0.92;
      if (a > 0) mixInto(canvas.rgb, (py * canvas.width + px) * 3, times(colour, 1 + hair * bristle * 0.5), a);
    }
}
