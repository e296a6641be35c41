/** Under the sea: light from above, shafts, a reef, weeds and bubbles. */
import { disc, run } from '../canvas.ts';
import { blend, hex, hsl, mixInto, ramp } from '../colour.ts';
import { fbm, field, noise } from '../noise.ts';
import { paintGround } from './ground.ts';
import type { Stage } from './stage.ts';
import { clamp, smoothstep } from '../../pixels/range.ts';

export function paintDeep(stage: Stage): void {
  const { canvas, light } = stage;
  const { width, height, rgb, unit } = canvas;
  const random = stage.random.stream('deep');
  const seed = random.fork();
  const stops = (
    light.dark ? ['#1d5f86', '#0e3a63', '#081f42', '#050f26'] : ['#9fe6e0', '#3fb4c9', '#1b7aa6', '#0d4a7c']
  ).map(hex);
  const haze = field(width, height, 6, (x, y) => fbm((x / width) * 3, (y / height) * 4, seed, 3) - 0.5);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const i = y * width + x;
      const t = y / height;
      const c = ramp(stops, t * 0.95 + haze[i]! * 0.22);
      const lean = x / width + (t - 0.1) * 0.28 * stage.side;
      const shaft = smoothstep(0.52, 0.85, noise(lean * 13, 2, seed + 4)) * (1 - t) ** 1.2 * 0.5;
      mixInto(rgb, i * 3, blend(c, [0.9, 1, 0.95], clamp(shaft)), 1);
    }
  for (let layer = 0; layer < 2; layer++) {
    const base = height * (0.74 + layer * 0.08);
    for (let x = 0; x < width; x++) {
      const line = base - fbm((x / width) * (3 + layer * 2), layer, seed + 20, 4) * height * 0.26 + height * 0.1;
      const c = blend(ramp(stops, 0.85), [0.03, 0.12, 0.2], 0.25 + layer * 0.25);
      for (let y = Math.floor(line); y < height; y++) {
        mixInto(rgb, (y * width + x) * 3, c, 0.8);
        canvas.plane[y * width + x] = 1 + layer;
      }
    }
  }
  paintGround(stage, 'seabed', stage.groundTop, 4, 0.035);
  for (let i = 0; i < width * height; i++)
    if (canvas.plane[i] === 4) mixInto(rgb, i * 3, stops[2] ?? [0, 0.3, 0.5], 0.42);
  for (let i = 0; i < 26; i++)
    weed(
      stage,
      random.next() * width,
      height * random.between(0.86, 1.02),
      random.between(0.08, 0.26) * height,
      random.fork(),
    );
  for (let i = 0; i < 46; i++) {
    const [x, y, r] = [random.next() * width, random.next() ** 0.7 * height, unit * random.between(2, 9)];
    disc(canvas, x, y, r, [0.85, 1, 1], 0.22, 0.4);
    disc(canvas, x - r * 0.3, y - r * 0.35, r * 0.3, [1, 1, 1], 0.8, 0.6);
  }
}

function weed(stage: Stage, x: number, foot: number, tall: number, seed: number): void {
  const { canvas } = stage;
  const coral = seed % 3 === 0;
  const c = coral
    ? hsl(((seed % 97) / 97) * 0.25 + 0.88, 0.6, 0.55)
    : hsl(0.36 + (seed % 31) / 310, 0.5, 0.3 + (seed % 7) / 50);
  const shade = blend(c, [0.05, 0.25, 0.38], 0.45);
  for (let y = 0; y < tall; y++) {
    const t = y / tall;
    const sway = Math.sin(t * 5 + seed) * tall * 0.07 * (0.3 + t);
    const half = canvas.unit * (coral ? 9 * (1 - t * 0.6) : 7 * Math.sin(Math.PI * (0.12 + t * 0.88)));
    run(canvas, Math.round(foot - y), x + sway - half, x + sway + half, (u) => blend(shade, c, u), 0.92, 5);
  }
}
