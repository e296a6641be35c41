/** The style infiny-flow: marbled currents that continue across the edges, with subjects along them. */
import { each } from '../canvas.ts';
import { blend, rampTable, times } from '../colour.ts';
import { noise, waves } from '../noise.ts';
import { cloth, layRaised, motifs, repeats, type Tile } from './wrap.ts';
import { clamp, smoothstep, wrap } from '../../pixels/range.ts';

export const flow: Tile = async (canvas, brief, random) => {
  const { width, height, unit } = canvas;
  const byWords = random.stream('cloth');
  const tones = cloth(brief, byWords);
  const seed = random.fork();
  const [px, py] = [repeats(width, 330 * unit), repeats(height, 330 * unit)];
  const current = { across: px / width, down: py / height, octaves: 3, period: [px, py] as const };
  const wx = waves(canvas, 1, { ...current, seed }).map((n) => n - 0.5);
  const wy = waves(canvas, 1, { ...current, seed: seed + 40 }).map((n) => n - 0.5);
  const colour = rampTable([tones[0], tones[1], tones[2], tones[1], tones[3], tones[0]]);
  each(canvas, (_r, _g, _b, x, y, i) => {
    const u = (x / width) * px * 2 + wx[i]! * 3.4;
    const v = (y / height) * py * 2 + wy[i]! * 3.4;
    const n = noise(u, v, seed + 7, px * 2, py * 2) * 0.82 + noise(u * 2, v * 2, seed + 8, px * 4, py * 4) * 0.18;
    const vein = smoothstep(0.05, 0, Math.abs(wrap(n * 7, 1) - 0.5) - 0.06);
    const sheen = clamp(0.5 + (wy[i]! - wx[i]!) * 0.9);
    return times(blend(colour(wrap(n * 1.8 + wx[i]! * 0.8, 1)), tones[3], vein * 0.22), 0.9 + 0.2 * sheen);
  });
  const set = await motifs(brief, random, 215 * unit, byWords);
  const [gx, gy] = [repeats(width, 300 * unit), repeats(height, 300 * unit)];
  for (let k = 0; k < gx * gy * Math.min(1, set.length); k++) {
    const cx = (((k % gx) + 0.5 + random.between(-0.22, 0.22)) * width) / gx;
    const cy = ((Math.floor(k / gx) + 0.5 + random.between(-0.22, 0.22)) * height) / gy;
    const at = wrap(Math.round(cy), height) * width + wrap(Math.round(cx), width);
    const turn = clamp((wx[at]! + wy[at]!) * 3, -0.6, 0.6);
    layRaised(canvas, set[k % set.length]!, [cx, cy], turn, random.between(0.62, 1.05), tones[0]);
  }
};
