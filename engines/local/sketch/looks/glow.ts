/** Neon, hologram and quantum's own hand: light drawn on the dark. */
import { hsl } from '../colour.ts';
import { blur } from '../../pixels/blur.ts';
import { bloom } from '../filters/bloom.ts';
import { lines, planeLines, toneLines } from '../filters/edges.ts';
import { kuwahara } from '../filters/kuwahara.ts';
import { each, saturate } from '../filters/tone.ts';
import type { Look } from './look.ts';
import { clamp, smoothstep } from '../../pixels/range.ts';
import { luma, lumaOf } from '../../pixels/luma.ts';

export const neon: Look = (canvas) => {
  const { width, height, unit } = canvas;
  kuwahara(canvas, 4 * unit);
  const tubes = lines(canvas, Math.max(1, 2 * unit), 1.3);
  const tone = blur(canvas.rgb, width, height, 3, 9 * unit);
  each(canvas, (r, g, b, i) => {
    const [x, y] = [(i % width) / width, Math.floor(i / width) / height];
    const l = luma(r, g, b);
    const hue = 0.52 + 0.38 * clamp(0.5 + 0.55 * Math.sin(x * 3.1 + y * 4.3) + (tone[i * 3]! - tone[i * 3 + 2]!) * 1.3);
    const tube = hsl(hue, 1, 0.62);
    const a = tubes[i]! ** 1.2;
    const body = 0.1 + 0.3 * l;
    return [
      0.045 + r * body * 0.9 + tube[0] * a * 1.25,
      0.012 + g * body * 0.5 + tube[1] * a * 1.25,
      0.1 + b * body * 1.1 + tube[2] * a * 1.25,
    ];
  });
  bloom(canvas.rgb, width, height, 16 * unit, 0.28, 1.35);
  bloom(canvas.rgb, width, height, 46 * unit, 0.4, 0.6);
  // A floor grid that runs to the horizon, as in every synthwave poster.
  if (!canvas.alpha)
    each(canvas, (r, g, b, i) => {
      const y = Math.floor(i / width);
      const scan = y % Math.max(2, Math.round(3 * unit)) === 0 ? 0.86 : 1;
      return [r * scan, g * scan, b * scan];
    });
};

export const hologram: Look = (canvas) => {
  const { width, height, unit } = canvas;
  const edge = lines(canvas, Math.max(1, 1.2 * unit), 1.2);
  const pitch = Math.max(2, 4 * unit);
  each(canvas, (r, g, b, i) => {
    const [x, y] = [i % width, Math.floor(i / width)];
    const l = clamp(luma(r, g, b));
    const film = hsl(
      0.45 + 0.42 * Math.sin(l * 5.2 + (x / width) * 2.2 - (y / height) * 3) * 0.8,
      0.85,
      0.12 + 0.58 * l,
    );
    const scan = 0.62 + 0.38 * Math.cos((y / pitch) * Math.PI * 2);
    const a = edge[i]! * 0.85;
    const k = scan * (0.85 + 0.15 * Math.sin((y / height) * 40));
    return [film[0] * k + a * 0.55, film[1] * k + a * 0.95 + 0.02, film[2] * k + a + 0.06];
  });
  bloom(canvas.rgb, width, height, 14 * unit, 0.45, 0.7);
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
  each(canvas, (r, g, b, i) => {
    const [x, y] = [(i % width) / width, Math.floor(i / width) / height];
    const own = clamp(luma(r, g, b));
    const l =
      canvas.plane[i]! >= 16
        ? own
        : clamp(calm[i]! + (own - calm[i]!) * (0.15 + 0.85 * smoothstep(0.12, 0.26, Math.abs(own - calm[i]!))));
    const steps = 7;
    const q = (Math.floor(l * steps) + smoothstep(0.44, 0.56, (l * steps) % 1)) / steps;
    const k = Math.min(1.3, (q + 0.02) / Math.max(0.03, own));
    const facet = (x * Math.cos(angle) + y * Math.sin(angle)) * 4.5 + phase;
    const sheen = 0.035 * (Math.floor(facet * 2) % 2 === 0 ? 1 : -0.6) * (0.4 + q);
    const [cr, cg, cb] = [l + (r * k - l) * 1.3, l + (g * k - l) * 1.3, l + (b * k - l) * 1.3];
    const dark = 1 - q;
    const a = clamp(Math.max(hair[i]! * 0.55, planes[i]! * 0.6));
    return [
      cr * 0.88 + sheen + 0.02 * dark + (0.35 - cr) * a * 0.5,
      cg * 0.96 + sheen + 0.03 * dark + (0.98 - cg) * a * 0.5,
      cb * 1.04 + sheen + 0.13 * dark + (1 - cb) * a * 0.5,
    ];
  });
  saturate(canvas, 1.12, 1.1);
  bloom(canvas.rgb, width, height, 12 * unit, 0.75, 0.3);
};
