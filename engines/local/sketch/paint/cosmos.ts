/** Outer space: nebulae, stars, and a planet or two. */
import { disc } from '../canvas.ts';
import { blend, hsl, mixInto } from '../colour.ts';
import { fbm, field, noise, ridged } from '../noise.ts';
import type { Stage } from './stage.ts';
import { clamp, smoothstep } from '../../pixels/range.ts';

export function paintSpace(stage: Stage): void {
  const { canvas } = stage;
  const { width, height, rgb, unit } = canvas;
  const random = stage.random.stream('space');
  const seed = random.fork();
  const hue = random.next();
  const f = 3 / Math.max(width, height);
  const step = Math.max(3, Math.round(4 * unit));
  const cloud = field(width, height, step, (x, y) => {
    const w = fbm(x * f, y * f, seed + 3, 3) * 2;
    return fbm(x * f + w, y * f - w, seed, 5);
  });
  const veins = field(width, height, step, (x, y) => ridged(x * f * 1.3, y * f * 1.3, seed + 50, 4));
  const angle = random.between(-0.8, 0.8);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const i = y * width + x;
      const band = Math.exp(
        -((((y - height / 2) * Math.cos(angle) + (x - width / 2) * Math.sin(angle)) / (height * 0.3)) ** 2),
      );
      const k = smoothstep(0.3, 0.85, cloud[i]! * (0.6 + 0.6 * band));
      const c = blend(
        blend([0.012, 0.014, 0.05], hsl(hue, 0.75, 0.3), k),
        hsl(hue + 0.35, 0.85, 0.6),
        k * k * veins[i]!,
      );
      mixInto(rgb, i * 3, blend(c, hsl(hue + 0.1, 0.9, 0.86), k ** 4 * veins[i]! ** 2 * 1.2), 1);
    }
  for (let i = 0; i < 900; i++) {
    const big = random.chance(0.05);
    const [x, y, r] = [
      random.next() * width,
      random.next() * height,
      unit * (big ? random.between(1.6, 3) : random.between(0.5, 1.3)),
    ];
    if (big) disc(canvas, x, y, r * 5, hsl(random.next(), 0.6, 0.8), 0.25, 0);
    disc(canvas, x, y, r, hsl(random.next(), 0.5, 0.92), random.between(0.4, 1), 0.8);
  }
}

/** A shaded ball with bands and an atmosphere's rim. */
export function paintPlanet(stage: Stage, cx: number, cy: number, radius: number, name: string): void {
  const { canvas, side } = stage;
  const random = stage.random.stream(name);
  const seed = random.fork();
  const hue = random.next();
  const banded = random.chance(0.5);
  for (let y = Math.max(0, Math.floor(cy - radius * 1.1)); y < Math.min(canvas.height, cy + radius * 1.1); y++)
    for (let x = Math.max(0, Math.floor(cx - radius * 1.1)); x < Math.min(canvas.width, cx + radius * 1.1); x++) {
      const [u, v] = [(x - cx) / radius, (y - cy) / radius];
      const d = Math.hypot(u, v);
      const i = (y * canvas.width + x) * 3;
      if (d > 1) {
        mixInto(
          canvas.rgb,
          i,
          hsl(hue + 0.05, 0.7, 0.75),
          clamp(1 - (d - 1) * 14) ** 2 * 0.45 * clamp(0.4 + (u * side - v) * 0.6),
        );
        continue;
      }
      const z = Math.sqrt(1 - d * d);
      const n = banded
        ? noise(v * 7 + fbm(u * 3, v * 3, seed, 3) * 0.8, 3, seed)
        : fbm((u * 2.4) / (0.5 + z) + 7, (v * 2.4) / (0.5 + z) + 7, seed, 5);
      const sun = clamp(0.12 + (u * side * 0.62 - v * 0.42 + z * 0.62) * 1.05, 0.03, 1);
      const land = blend(hsl(hue, 0.5, 0.32), hsl(hue + 0.13, 0.55, 0.7), smoothstep(0.32, 0.68, n));
      mixInto(canvas.rgb, i, [land[0] * sun, land[1] * sun, land[2] * sun], clamp((1 - d) * radius));
      canvas.plane[y * canvas.width + x] = 2;
    }
}
