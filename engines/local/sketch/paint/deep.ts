/** Paints a scene under water: light from above, shafts of light, a reef, weeds and bubbles. */
import { below, disc, each, stack } from '../canvas.ts';
import { blend, hex, hsl, rampTable } from '../colour.ts';
import { fbm, noise, waves } from '../noise.ts';
import { paintGround } from './ground.ts';
import type { Stage } from './stage.ts';
import { clamp, smoothstep } from '../../pixels/range.ts';

export function paintDeep(stage: Stage): void {
  const { canvas, light } = stage;
  const { width, height, unit, plane } = canvas;
  const random = stage.random.stream('deep');
  const seed = random.fork();
  const codes = light.dark ? '#1d5f86 #0e3a63 #081f42 #050f26' : '#9fe6e0 #3fb4c9 #1b7aa6 #0d4a7c';
  const stops = codes.split(' ').map(hex);
  const water = rampTable(stops);
  const haze = waves(canvas, 6, { across: 3 / width, down: 4 / height, seed, octaves: 3 });
  each(canvas, (_r, _g, _b, x, y, i) => {
    const t = y / height;
    const lean = x / width + (t - 0.1) * 0.28 * stage.side;
    const shaft = smoothstep(0.52, 0.85, noise(lean * 13, 2, seed + 4)) * (1 - t) ** 1.2 * 0.5;
    return blend(water(t * 0.95 + (haze[i]! - 0.5) * 0.22), [0.9, 1, 0.95], clamp(shaft));
  });
  // Two rows of rocks behind the reef.
  for (let layer = 0; layer < 2; layer++) {
    const crest = (x: number) => fbm((x / width) * (3 + layer * 2), layer, seed + 20, 4) * 0.26;
    const line = Float32Array.from({ length: width }, (_, x) => height * (0.84 + layer * 0.08 - crest(x)));
    const rock = blend(water(0.87), [0.03, 0.12, 0.2], 0.2 + layer * 0.22);
    below(canvas, line, 1 + layer, () => rock);
  }
  paintGround(stage, 'seabed', stage.groundTop, 4);
  each(canvas, (r, g, b, _x, _y, i) => (plane[i] === 4 ? blend([r, g, b], stops[2]!, 0.42) : null));
  for (let i = 0; i < 26; i++) {
    const [x, foot] = [random.next() * width, height * random.between(0.86, 1.02)];
    paintWeed(stage, x, foot, random.between(0.08, 0.26) * height, random.fork());
  }
  for (let i = 0; i < 46; i++) {
    const [x, y, r] = [random.next() * width, random.next() ** 0.7 * height, unit * random.between(2, 9)];
    disc(canvas, x, y, r, [0.85, 1, 1], 0.22, 0.4);
    disc(canvas, x - r * 0.3, y - r * 0.35, r * 0.3, [1, 1, 1], 0.8, 0.6);
  }
}

/** Paints a swaying weed, or a branch of coral. */
function paintWeed({ canvas }: Stage, x: number, foot: number, tall: number, seed: number): void {
  const coral = seed % 3 === 0;
  const weed = hsl(0.36 + (seed % 31) / 310, 0.5, 0.3 + (seed % 7) / 50);
  const c = coral ? hsl(((seed % 97) / 97) * 0.25 + 0.88, 0.6, 0.55) : weed;
  const shade = blend(c, [0.05, 0.25, 0.38], 0.45);
  const ends = (y: number) => {
    const t = (foot - y) / tall;
    const sway = Math.sin(t * 5 + seed) * tall * 0.07 * (0.3 + t);
    const half = canvas.unit * (coral ? 9 * (1 - t * 0.6) : 7 * Math.sin(Math.PI * (0.12 + t * 0.88)));
    return [x + sway - half, x + sway + half] as const;
  };
  stack(canvas, foot - tall + 1, foot, ends, (u) => blend(shade, c, u), 5, 0.92);
}
