/** Paper cut: every plane a sheet of its own, laid over the last with a soft shadow. */
import { hex, hsl, ramp } from '../colour.ts';
import { blur } from '../../pixels/blur.ts';
import { kuwahara } from '../filters/kuwahara.ts';
import { tooth } from './paper.ts';
import type { Look } from './look.ts';
import { clamp } from '../../pixels/range.ts';
import { luma } from '../../pixels/luma.ts';

export const paperCut: Look = (canvas, { random, brief }) => {
  const { width, height, unit, plane } = canvas;
  kuwahara(canvas, 9 * unit);
  kuwahara(canvas, 5 * unit);
  const { rgb } = canvas;
  // Sheets: planes, and within them steps of tone, so that a sky becomes bands too.
  const sheet = new Float32Array(width * height);
  const steps = 5;
  for (let i = 0; i < sheet.length; i++) {
    const l = clamp(luma(rgb[i * 3]!, rgb[i * 3 + 1]!, rgb[i * 3 + 2]!));
    const step = Math.floor(l * steps * 0.999);
    sheet[i] =
      Math.min(plane[i]!, 8) * 0.55 +
      (plane[i]! === 0 ? (steps - step) * 0.3 : step * 0.16) +
      (plane[i]! >= 16 ? 1 : 0);
    const k = ((step + 0.55) / steps / Math.max(0.05, l)) * 0.75 + 0.25;
    for (let c = 0; c < 3; c++) rgb[i * 3 + c] = rgb[i * 3 + c]! * k;
  }
  const raised = blur(sheet, width, height, 1, 7 * unit);
  const off = Math.round(7 * unit);
  const paper = tooth(canvas, random.fork(), 0.13);
  const stock = brief.palette ?? [hex('#2d3a55'), hsl(0.08, 0.5, 0.6), hex('#fff3dc')];
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const i = y * width + x;
      const s = Math.max(0, y - off) * width + Math.max(0, x - off);
      const shadow = clamp((raised[s]! - sheet[i]!) * 1.1) * 0.62;
      const lip = clamp((sheet[i]! - raised[i]!) * 0.9) * 0.13;
      const k = paper(x, y);
      const l = luma(rgb[i * 3]!, rgb[i * 3 + 1]!, rgb[i * 3 + 2]!);
      const t = ramp(stock, l);
      for (let c = 0; c < 3; c++) {
        const v = rgb[i * 3 + c]! * 0.9 + t[c]! * 0.1;
        rgb[i * 3 + c] = ((l + (v - l) * 1.25) * k + lip + 0.03) * (1 - shadow) + shadow * 0.06;
      }
    }
};
