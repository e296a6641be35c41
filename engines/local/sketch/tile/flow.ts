/** Infiny flow: marbled currents that close upon themselves, with subjects drifting along them. */
import { blend, mixInto, ramp } from '../colour.ts';
import { fbm, field, noise } from '../noise.ts';
import { cloth, lay, motifs, repeats, type Tile } from './wrap.ts';
import { clamp, smoothstep, wrap } from '../../pixels/range.ts';

export const flow: Tile = async (canvas, brief, random) => {
  const { width, height, unit } = canvas;
  const byWords = random.stream('cloth');
  const tones = cloth(brief, byWords);
  const seed = random.fork();
  const [px, py] = [repeats(width, 330 * unit), repeats(height, 330 * unit)];
  const step = 4;
  const warp = (x: number, y: number, s: number): number =>
    fbm((x / width) * px, (y / height) * py, seed + s, 3, px, py) - 0.5;
  // The coarse grid ends on the far edge, which is the near edge again.
  const wx = periodic(width, height, step, (x, y) => warp(x, y, 0));
  const wy = periodic(width, height, step, (x, y) => warp(x, y, 40));
  const stops = [tones[0], tones[1], tones[2], tones[1], tones[3], tones[0]];
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const i = y * width + x;
      const u = (x / width) * px * 2 + wx[i]! * 3.4;
      const v = (y / height) * py * 2 + wy[i]! * 3.4;
      const n = noise(u, v, seed + 7, px * 2, py * 2) * 0.82 + noise(u * 2, v * 2, seed + 8, px * 4, py * 4) * 0.18;
      const t = wrap(n * 1.8 + wx[i]! * 0.8, 1);
      const vein = smoothstep(0.05, 0, Math.abs(wrap(n * 7, 1) - 0.5) - 0.06);
      const c = blend(ramp(stops, t), vein > 0 ? tones[3] : tones[0], vein * 0.22);
      const sheen = clamp(0.5 + (wy[i]! - wx[i]!) * 0.9);
      mixInto(
        canvas.rgb,
        i * 3,
        [c[0] * (0.9 + 0.2 * sheen), c[1] * (0.9 + 0.2 * sheen), c[2] * (0.9 + 0.2 * sheen)],
        1,
      );
    }
  const set = await motifs(brief, random, 215 * unit, byWords);
  const shadow = blend(tones[0], [0, 0, 0], 0.65);
  const [gx, gy] = [repeats(width, 300 * unit), repeats(height, 300 * unit)];
  let n = 0;
  for (let j = 0; j < gy; j++)
    for (let i = 0; i < gx; i++) {
      const motif = set[n++ % Math.max(1, set.length)];
      if (!motif) continue;
      const cx = ((i + 0.5 + random.between(-0.22, 0.22)) * width) / gx;
      const cy = ((j + 0.5 + random.between(-0.22, 0.22)) * height) / gy;
      const at = wrap(Math.round(cy), height) * width + wrap(Math.round(cx), width);
      const turn = clamp((wx[at]! + wy[at]!) * 3, -0.6, 0.6);
      const scale = random.between(0.62, 1.05);
      lay(canvas, motif, cx + 5 * unit, cy + 8 * unit, turn, scale, 0.3, shadow);
      lay(canvas, motif, cx, cy, turn, scale);
    }
};

/** A field whose last column is its first again: the step is made to divide both sides. */
function periodic(width: number, height: number, step: number, value: (x: number, y: number) => number): Float32Array {
  const s = width % step === 0 && height % step === 0 ? step : 1;
  return field(width, height, s, value);
}
