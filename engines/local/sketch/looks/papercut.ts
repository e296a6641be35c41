/** Paper cut: every plane a sheet of its own, laid over the last with a soft shadow. */
import { each } from '../canvas.ts';
import { blend, hex, hsl, rampTable, times } from '../colour.ts';
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
  // Sheets are planes and, within them, steps of tone, so that a sky becomes bands, too.
  const sheet = new Float32Array(width * height);
  const steps = 5;
  each(canvas, (r, g, b, _x, _y, i) => {
    const l = clamp(luma(r, g, b));
    const step = Math.floor(l * steps * 0.999);
    const within = plane[i]! === 0 ? (steps - step) * 0.3 : step * 0.16;
    sheet[i] = Math.min(plane[i]!, 8) * 0.55 + within + (plane[i]! >= 16 ? 1 : 0);
    return times([r, g, b], ((step + 0.55) / steps / Math.max(0.05, l)) * 0.75 + 0.25);
  });
  const raised = blur(sheet, width, height, 1, 7 * unit);
  const off = Math.round(7 * unit);
  const paper = tooth(canvas, random.fork(), 0.13);
  const stock = rampTable(brief.palette ?? [hex('#2d3a55'), hsl(0.08, 0.5, 0.6), hex('#fff3dc')]);
  each(canvas, (r, g, b, x, y, i) => {
    const behind = Math.max(0, y - off) * width + Math.max(0, x - off);
    const shadow = clamp((raised[behind]! - sheet[i]!) * 1.1) * 0.62;
    const lip = clamp((sheet[i]! - raised[i]!) * 0.9) * 0.13 + 0.03;
    const k = paper(x, y);
    const l = luma(r, g, b);
    const [cr, cg, cb] = blend([l, l, l], blend([r, g, b], stock(l), 0.1), 1.25);
    return blend([cr * k + lip, cg * k + lip, cb * k + lip], [0.06, 0.06, 0.06], shadow);
  });
};
