/** Paints a photograph in a style. The looks were made for painted scenes, so the photograph is prepared first. */
import { blur } from '../pixels/blur.ts';
import { luma, lumaOf } from '../pixels/luma.ts';
import { clamp, smoothstep } from '../pixels/range.ts';
import { stretched } from '../pixels/resample.ts';
import { fitting } from '../pixels/resize.ts';
import { type Canvas, each } from '../sketch/canvas.ts';
import { blend } from '../sketch/colour.ts';
import { kuwahara } from '../sketch/filters/kuwahara.ts';
import { lookOf } from '../sketch/looks/index.ts';
import type { Random } from '../sketch/random.ts';
import type { Brief } from '../sketch/read/brief.ts';
import { clustersOf } from './clusters.ts';

interface Fitting {
  /** Opacity of the look over the photograph. */
  readonly opacity: number;
  /** Difference of brightness that halves the opacity, because bare paper is too bright in dark areas. */
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
  // Looks that distinguish front and back treat everything as the front.
  else canvas.plane.fill(16);
  const before = canvas.rgb.slice();
  // With alpha, looks add no margins, bars or torn edges, which a photograph must not get.
  canvas.alpha = new Float32Array(canvas.width * canvas.height).fill(1);
  lookOf('selena', style)(canvas, { random, brief });
  canvas.alpha = null;
  each(canvas, (r, g, b, _x, _y, i) => {
    const [br, bg, bb] = [before[i * 3]!, before[i * 3 + 1]!, before[i * 3 + 2]!];
    const apart = Math.abs(luma(r - br, g - bg, b - bb));
    return blend([br, bg, bb], [r, g, b], opacity / (1 + apart / stray));
  });
}

/** Lightens the shadows of a dark photograph and removes colour from its blacks, which some looks would exaggerate. */
function develop(canvas: Canvas, black: number): void {
  const grey = lumaOf(canvas.rgb);
  const around = blur(grey, canvas.width, canvas.height, 1, 50 * canvas.unit);
  each(canvas, (r, g, b, _x, _y, i) => {
    const l = clamp(grey[i]!);
    const lifted = black * (1 + 0.6 * (1 - smoothstep(0.1, 0.5, around[i]!)));
    return blend(blend([l, l, l], [r, g, b], smoothstep(0, 0.16, l)), [1, 1, 1], lifted);
  });
}

/** Cuts the picture into flat sheets of paper with smooth outlines; sheet 1 is at the back. */
function layMasses(canvas: Canvas): void {
  const { unit, plane } = canvas;
  const small = fitting(canvas, 320);
  const scaled = (unit * small.width) / canvas.width;
  const calm = { ...canvas };
  kuwahara(calm, 4 * unit);
  const { labels, means } = clustersOf(stretched(calm.rgb, 3, canvas, small, 'area'), 7);
  // A mass counts as near if it is low, in the middle, and bright.
  const near = means.map((mean, k) => {
    let [sum, count] = [0, 1e-6];
    for (const [i, label] of labels.entries()) {
      if (label !== k) continue;
      sum += Math.floor(i / small.width) / small.height - 0.6 * Math.abs(((i % small.width) / small.width) * 2 - 1);
      count++;
    }
    return sum / count + 0.9 * luma(...mean);
  });
  const source = stretched(canvas.rgb, 3, canvas, small, 'area');
  const most = new Float32Array(plane.length);
  for (const [k, own] of near.entries()) {
    const sheet = 1 + near.filter((other) => other < own).length;
    const member = Float32Array.from(labels, (label) => (label === k ? 1 : 0));
    const colours = Float32Array.from({ length: labels.length * 4 }, (_, p) =>
      p % 4 === 3 ? member[p >> 2]! : member[p >> 2]! * source[(p >> 2) * 3 + (p % 4)]!,
    );
    // Rounds corners, as scissors do: each pixel joins the mass that dominates its surroundings.
    const votes = stretched(blur(member, small.width, small.height, 1, 5.6 * scaled), 1, small, canvas, 'cubic');
    // A sheet has one colour, which may change slowly from place to place.
    const mean = stretched(blur(colours, small.width, small.height, 4, 36 * scaled), 4, small, canvas);
    each(canvas, (_r, _g, _b, _x, _y, i) => {
      if (votes[i]! <= most[i]!) return null;
      most[i] = votes[i]!;
      plane[i] = sheet;
      const whole = Math.max(1e-4, mean[i * 4 + 3]!);
      return [mean[i * 4]! / whole, mean[i * 4 + 1]! / whole, mean[i * 4 + 2]! / whole];
    });
  }
}
