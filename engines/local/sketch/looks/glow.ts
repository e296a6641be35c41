/** Neon, hologram and quantum's own hand: light drawn on the dark. */
import { each } from '../canvas.ts';
import { blend, hsl, type Colour } from '../colour.ts';
import { blur } from '../../pixels/blur.ts';
import { bloom } from '../filters/bloom.ts';
import { lines, planeLines, toneLines } from '../filters/edges.ts';
import { kuwahara } from '../filters/kuwahara.ts';
import { saturate } from '../filters/tone.ts';
import type { Look } from './look.ts';
import { clamp, smoothstep } from '../../pixels/range.ts';
import { luma, lumaOf } from '../../pixels/luma.ts';

export const neon: Look = (canvas) => {
  const { width, height, unit } = canvas;
  kuwahara(canvas, 4 * unit);
  const tubes = lines(canvas, Math.max(1, 2 * unit), 1.3);
  const tone = blur(canvas.rgb, width, height, 3, 9 * unit);
  each(canvas, (r, g, b, x, y, i): Colour => {
    const warmth = (tone[i * 3]! - tone[i * 3 + 2]!) * 1.3;
    const hue = 0.52 + 0.38 * clamp(0.5 + 0.55 * Math.sin((x / width) * 3.1 + (y / height) * 4.3) + warmth);
    const [tr, tg, tb] = hsl(hue, 1, 0.62);
    const a = tubes[i]! ** 1.2 * 1.25;
    const body = 0.1 + 0.3 * luma(r, g, b);
    return [0.045 + r * body * 0.9 + tr * a, 0.012 + g * body * 0.5 + tg * a, 0.1 + b * body * 1.1 + tb * a];
  });
  bloom(canvas, 16 * unit, 0.28, 1.35);
  bloom(canvas, 46 * unit, 0.4, 0.6);
  if (canvas.alpha) return;
  // The lines of a cathode-ray tube.
  const pitch = Math.max(2, Math.round(3 * unit));
  each(canvas, (r, g, b, _x, y) => (y % pitch === 0 ? [r * 0.86, g * 0.86, b * 0.86] : null));
};

export const hologram: Look = (canvas) => {
  const { width, height, unit } = canvas;
  const edge = lines(canvas, Math.max(1, 1.2 * unit), 1.2);
  const pitch = Math.max(2, 4 * unit);
  each(canvas, (r, g, b, x, y, i) => {
    const l = clamp(luma(r, g, b));
    const hue = 0.45 + 0.336 * Math.sin(l * 5.2 + (x / width) * 2.2 - (y / height) * 3);
    const [fr, fg, fb] = hsl(hue, 0.85, 0.12 + 0.58 * l);
    const a = edge[i]! * 0.85;
    const k = (0.62 + 0.38 * Math.cos((y / pitch) * Math.PI * 2)) * (0.85 + 0.15 * Math.sin((y / height) * 40));
    return [fr * k + a * 0.55, fg * k + a * 0.95 + 0.02, fb * k + a + 0.06];
  });
  bloom(canvas, 14 * unit, 0.45, 0.7);
};

/** Flat planes of tone in a cool scheme, hairline contours, a sharp diagonal sheen: a poster of tomorrow. */
export const quantumHouse: Look = (canvas, { random }) => {
  const { width, height, unit } = canvas;
  kuwahara(canvas, 7 * unit);
  kuwahara(canvas, 4 * unit);
  // Bands of tone follow a blurred picture, so that grass and waves become curves, not speckles; subjects stay sharp.
  const calm = blur(lumaOf(canvas.rgb), width, height, 1, 8 * unit);
  const hair = toneLines(canvas, Math.max(1, 0.9 * unit), 1);
  const planes = planeLines(canvas, Math.max(1, 0.8 * unit));
  const angle = random.between(0.5, 1);
  const phase = random.next();
  const [across, down] = [(Math.cos(angle) * 9) / width, (Math.sin(angle) * 9) / height];
  const steps = 7;
  each(canvas, (r, g, b, x, y, i) => {
    const own = clamp(luma(r, g, b));
    const off = own - calm[i]!;
    const soft = calm[i]! + off * (0.15 + 0.85 * smoothstep(0.12, 0.26, Math.abs(off)));
    const l = canvas.plane[i]! >= 16 ? own : clamp(soft);
    const q = (Math.floor(l * steps) + smoothstep(0.44, 0.56, (l * steps) % 1)) / steps;
    const k = Math.min(1.3, (q + 0.02) / Math.max(0.03, own));
    const facet = Math.floor(x * across + y * down + phase * 2);
    const sheen = 0.035 * (facet % 2 === 0 ? 1 : -0.6) * (0.4 + q);
    const [cr, cg, cb] = blend([l, l, l], [r * k, g * k, b * k], 1.3);
    const dark = 1 - q;
    const a = clamp(Math.max(hair[i]! * 0.55, planes[i]! * 0.6)) * 0.5;
    return [
      cr * 0.88 + sheen + 0.02 * dark + (0.35 - cr) * a,
      cg * 0.96 + sheen + 0.03 * dark + (0.98 - cg) * a,
      cb * 1.04 + sheen + 0.13 * dark + (1 - cb) * a,
    ];
  });
  saturate(canvas, 1.12, 1.1);
  bloom(canvas, 12 * unit, 0.75, 0.3);
};
