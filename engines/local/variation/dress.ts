/** Paints a photograph in a style. The looks were made for painted scenes, so the photograph is prepared first. */
import type { Canvas } from '../sketch/canvas.ts';
import { clamp, smoothstep } from '../pixels/range.ts';
import { luma, lumaOf } from '../pixels/luma.ts';
import { blur } from '../pixels/blur.ts';
import { lookOf } from '../sketch/looks/index.ts';
import type { Random } from '../sketch/random.ts';
import type { Brief } from '../sketch/read/brief.ts';
import { layMasses } from './masses.ts';

interface Fitting {
  /** Opacity of the look over the photograph. */
  readonly opacity: number;
  /** How far its colours may differ: bare paper is too bright in a photograph's dark places. */
  readonly stray: number;
  /** New brightness of black, so that a wash or a line is visible on it. */
  readonly black: number;
}

const plain: Fitting = { opacity: 1, stray: Infinity, black: 0.02 };
const fittings: Readonly<Record<string, Partial<Fitting>>> = {
  // A request without a style wants a variation, not a painting.
  house: { opacity: 0.7 },
  watercolor: { stray: 0.26, black: 0.14 },
  pastel: { stray: 0.2, black: 0.07 },
  impressionist: { stray: 0.2, black: 0.08 },
  storybook: { black: 0.05 },
  anime: { black: 0.05 },
  dreamscape: { black: 0.06 },
  'paper-cut': { black: 0.08 },
};

export function dress(canvas: Canvas, style: string | null, brief: Brief, random: Random): void {
  const { opacity, stray, black } = { ...plain, ...fittings[style ?? 'house'] };
  develop(canvas, black);
  if (style === 'paper-cut') layMasses(canvas);
  // For looks that distinguish front and back, everything is in front.
  else canvas.plane.fill(16);
  const before = opacity < 1 || stray < Infinity ? canvas.rgb.slice() : null;
  // With alpha, looks add no margins, bars or torn edges, which a photograph must not get.
  canvas.alpha = new Float32Array(canvas.width * canvas.height).fill(1);
  lookOf('selena', style)(canvas, { random, brief });
  canvas.alpha = null;
  if (before) hold(canvas, before, opacity, stray);
}

/** Lightens the shadows of a dark photograph and removes colour from its blacks, which some looks would exaggerate. */
function develop(canvas: Canvas, black: number): void {
  const { rgb, width, height, unit } = canvas;
  const grey = lumaOf(canvas.rgb);
  const around = blur(grey, width, height, 1, 50 * unit);
  for (let i = 0; i < grey.length; i++) {
    const l = clamp(grey[i]!);
    const colour = smoothstep(0, 0.16, l);
    const open = black * (1 - smoothstep(0.1, 0.5, around[i]!)) * 0.6;
    for (let c = 0; c < 3; c++) {
      const v = l + (rgb[i * 3 + c]! - l) * colour;
      rgb[i * 3 + c] = black + open + v * (1 - black - open);
    }
  }
}

/** Limits the difference between a look and the photograph below it. */
function hold(canvas: Canvas, before: Float32Array, opacity: number, stray: number): void {
  const { rgb } = canvas;
  for (let p = 0; p < rgb.length; p += 3) {
    const off = Math.abs(luma(rgb[p]! - before[p]!, rgb[p + 1]! - before[p + 1]!, rgb[p + 2]! - before[p + 2]!));
    const k = (opacity * stray) / (stray + off);
    const a = stray === Infinity ? opacity : k;
    for (let c = 0; c < 3; c++) rgb[p + c] = before[p + c]! + (rgb[p + c]! - before[p + c]!) * a;
  }
}
