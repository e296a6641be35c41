/** Sky: gradient, sun or moon with its glow, stars, aurora, clouds. */
import { disc } from '../canvas.ts';
import { blend, hex, ramp, type Colour } from '../colour.ts';
import { fbm, field, noise } from '../noise.ts';
import type { Stage } from './stage.ts';
import { clamp, smoothstep } from '../../pixels/range.ts';

export function paintSky(stage: Stage): void {
  const { canvas, light, lamp, random } = stage;
  const { width, height, rgb } = canvas;
  const reach = Math.max(width, height);
  const seed = random.stream('sky').fork();
  const wobble = field(width, height, 8, (x, y) => fbm((x / reach) * 3, (y / reach) * 7, seed, 3) - 0.5);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const i = y * width + x;
      const c = ramp(light.sky, y / stage.horizon + wobble[i]! * 0.12);
      const d = Math.hypot(x - lamp.x, (y - lamp.y) * 1.15) / reach;
      const glow = lamp.visible || !light.dark ? Math.exp(-d * (light.dark ? 9 : 5)) * (light.dark ? 0.5 : 0.55) : 0;
      rgb[i * 3] = c[0] + (light.sun[0] - c[0]) * glow;
      rgb[i * 3 + 1] = c[1] + (light.sun[1] - c[1]) * glow;
      rgb[i * 3 + 2] = c[2] + (light.sun[2] - c[2]) * glow;
    }
  }
}

export function paintStars(stage: Stage, amount: number): void {
  const random = stage.random.stream('stars');
  const { canvas } = stage;
  const total = Math.round(amount * 420);
  for (let i = 0; i < total; i++) {
    const x = random.next() * canvas.width;
    const y = random.next() ** 1.3 * stage.horizon;
    const big = random.chance(0.06);
    const r = canvas.unit * (big ? random.between(2, 3.4) : random.between(0.6, 1.5));
    const colour = blend(hex('#ffffff'), random.chance(0.5) ? hex('#bcd4ff') : hex('#ffe6c0'), random.next());
    if (big) disc(canvas, x, y, r * 4, colour, 0.25, 0);
    disc(canvas, x, y, r, colour, random.between(0.4, 1), 0.8);
  }
  if (stage.brief.lamps.has('shooting')) {
    const [x0, y0] = [random.between(0.35, 0.8) * canvas.width, random.between(0.08, 0.25) * stage.horizon];
    for (let t = 0; t < 1; t += 0.004) {
      const length = 0.28 * canvas.width;
      disc(canvas, x0 - t * length, y0 + t * length * 0.42, canvas.unit * (0.6 + 3 * t ** 3), [1, 1, 0.92], t * t, 0.5);
    }
  }
}

export function paintLamp(stage: Stage): void {
  const { canvas, lamp, light } = stage;
  if (!lamp.visible) return;
  const moon = light.dark && stage.brief.time !== 'dusk' && stage.brief.time !== 'neon';
  disc(canvas, lamp.x, lamp.y, lamp.radius * 3.4, light.sun, 0.5, 0);
  disc(canvas, lamp.x, lamp.y, lamp.radius, light.sun, 1);
  if (!moon) return;
  const seed = stage.random.stream('moon').fork();
  const bite = stage.brief.lamps.has('crescent');
  const r = lamp.radius;
  for (let y = Math.floor(-r); y <= r; y++)
    for (let x = Math.floor(-r); x <= r; x++) {
      const d = Math.hypot(x, y);
      if (d > r) continue;
      const crater = fbm((x / r) * 2.2 + 9, (y / r) * 2.2 + 9, seed, 3);
      const px = Math.round(lamp.x + x);
      const py = Math.round(lamp.y + y);
      disc(canvas, px, py, 0.7, hex('#aab2bd'), smoothstep(0.45, 0.7, crater) * 0.5, 1);
      if (bite && Math.hypot(x - r * 0.45, y + r * 0.18) < r * 0.92)
        disc(canvas, px, py, 1, ramp(light.sky, lamp.y / stage.horizon), 0.9, 1);
    }
}

export function paintAurora(stage: Stage): void {
  const { canvas, random } = stage;
  const { width, rgb } = canvas;
  const r = random.stream('aurora');
  const seed = r.fork();
  const colours: readonly Colour[] = [hex('#4dffb0'), hex('#37d6d0'), hex('#a46bff')];
  for (let band = 0; band < 3; band++) {
    const colour = colours[band] ?? [0, 1, 0.7];
    const base = stage.horizon * r.between(0.35, 0.8);
    for (let x = 0; x < width; x++) {
      const u = x / width;
      const foot =
        base +
        (noise(u * 3, band * 7, seed) - 0.5) * stage.horizon * 0.55 +
        (noise(u * 11, band * 3, seed) - 0.5) * stage.horizon * 0.09;
      const rays = 0.45 + 0.9 * noise(u * 60, band, seed + 5) * noise(u * 17, band + 4, seed + 6);
      const tall = stage.horizon * (0.3 + 0.35 * noise(u * 5, band, seed + 9));
      for (let y = Math.max(0, Math.floor(foot - tall)); y < Math.min(stage.horizon, foot + 14 * canvas.unit); y++) {
        const t = (foot - y) / tall;
        const a = clamp((t < 0 ? 1 + t * 12 : Math.max(0, 1 - t) ** 1.7) * rays * 0.75);
        const i = (y * width + x) * 3;
        const tip = blend(colour, [0.75, 0.35, 0.95], clamp(t * 0.9));
        rgb[i] = rgb[i]! + tip[0] * a * 0.6;
        rgb[i + 1] = rgb[i + 1]! + tip[1] * a * 0.6;
        rgb[i + 2] = rgb[i + 2]! + tip[2] * a * 0.6;
      }
    }
  }
}

/** Clouds lit from the lamp's side; `cover` 0–1. */
export function paintClouds(stage: Stage, cover: number): void {
  const { canvas, light, random, side } = stage;
  const { width, height, rgb } = canvas;
  const seed = random.stream('clouds').fork();
  const reach = Math.max(width, height);
  const s = 4.2 / reach;
  const shape = (x: number, y: number): number => {
    const warp = noise(x * s * 1.3, y * s * 3, seed + 77);
    return fbm(x * s + warp * 0.5, y * s * (1.7 + (y / stage.horizon) * 2.2) + warp * 0.3, seed, 5);
  };
  const step = Math.max(3, Math.round(4 * canvas.unit));
  const rows = Math.min(height, Math.ceil(stage.horizon) + 2);
  const density = field(width, rows, step, shape);
  const towards = field(width, rows, step, (x, y) => shape(x + side * 22 * canvas.unit, y - 26 * canvas.unit));
  const low = 0.68 - cover * 0.34;
  for (let y = 0; y < rows; y++) {
    const fade = smoothstep(1, 0.72, y / stage.horizon);
    for (let x = 0; x < width; x++) {
      const i = y * width + x;
      const a = smoothstep(low, low + 0.15, density[i]!) * fade * 0.92;
      if (a <= 0.003) continue;
      const k = clamp(0.55 + (density[i]! - towards[i]!) * 5.5);
      const c = blend(light.cloudShade, light.cloud, k);
      rgb[i * 3] = rgb[i * 3]! + (c[0] - rgb[i * 3]!) * a;
      rgb[i * 3 + 1] = rgb[i * 3 + 1]! + (c[1] - rgb[i * 3 + 1]!) * a;
      rgb[i * 3 + 2] = rgb[i * 3 + 2]! + (c[2] - rgb[i * 3 + 2]!) * a;
    }
  }
}

export function paintRainbow(stage: Stage): void {
  const { canvas, horizon } = stage;
  const cx = canvas.width * (stage.side > 0 ? 0.38 : 0.62);
  const radius = Math.min(canvas.width * 0.55, horizon * 1.05);
  const band = radius * 0.11;
  for (let y = 0; y < horizon; y++)
    for (let x = 0; x < canvas.width; x++) {
      const t = (Math.hypot(x - cx, y - horizon * 1.05) - (radius - band)) / band;
      if (t <= 0 || t >= 1) continue;
      const c = ramp(['#8f5fd0', '#4a78e0', '#3fbf7f', '#f2e04f', '#f59a3f', '#ee5548'].map(hex), t);
      const i = (y * canvas.width + x) * 3;
      const a = 0.42 * Math.sin(Math.PI * t) ** 0.6;
      for (let k = 0; k < 3; k++) canvas.rgb[i + k] = canvas.rgb[i + k]! + (c[k]! - canvas.rgb[i + k]!) * a;
    }
}
