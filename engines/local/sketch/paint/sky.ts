/** Sky: gradient, sun or moon with its glow, stars, aurora, clouds. */
import { disc, each } from '../canvas.ts';
import { blend, hex, ramp, rampTable, type Colour } from '../colour.ts';
import { fbm, field, noise, waves } from '../noise.ts';
import { hiddenFrom, type Stage } from './stage.ts';
import { clamp, smoothstep } from '../../pixels/range.ts';

export function paintSky(stage: Stage): void {
  const { canvas, light, lamp, random } = stage;
  const { width, height } = canvas;
  const reach = Math.max(width, height);
  const seed = random.stream('sky').fork();
  const size = { width, height: hiddenFrom(stage) };
  const wobble = waves(size, 8, { across: 3 / reach, down: 7 / reach, seed, octaves: 3 });
  const shines = lamp.visible || !light.dark;
  const [fall, strength] = light.dark ? [9, 0.5] : [5, 0.55];
  const glow = field(width, size.height, 4, (x, y) => {
    const d = Math.sqrt((x - lamp.x) ** 2 + ((y - lamp.y) * 1.15) ** 2) / reach;
    return shines ? Math.exp(-d * fall) * strength : 0;
  });
  const colour = rampTable(light.sky, 4096);
  each(
    canvas,
    (_r, _g, _b, _x, y, i) => blend(colour(y / stage.horizon + (wobble[i]! - 0.5) * 0.12), light.sun, glow[i]!),
    0,
    size.height,
  );
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
    const colour = blend([1, 1, 1], hex(random.chance(0.5) ? '#bcd4ff' : '#ffe6c0'), random.next());
    if (big) disc(canvas, x, y, r * 4, colour, 0.25, 0);
    disc(canvas, x, y, r, colour, random.between(0.4, 1), 0.8);
  }
  if (!stage.brief.lamps.has('shooting')) return;
  const [x0, y0] = [random.between(0.35, 0.8) * canvas.width, random.between(0.08, 0.25) * stage.horizon];
  for (let t = 0; t < 1; t += 0.004) {
    const far = t * 0.28 * canvas.width;
    disc(canvas, x0 - far, y0 + far * 0.42, canvas.unit * (0.6 + 3 * t ** 3), [1, 1, 0.92], t * t, 0.5);
  }
}

export function paintLamp(stage: Stage): void {
  const { canvas, lamp, light } = stage;
  if (!lamp.visible) return;
  const moon = light.dark && stage.brief.time !== 'dusk' && stage.brief.time !== 'neon';
  const r = lamp.radius;
  disc(canvas, lamp.x, lamp.y, r * 3.4, light.sun, 0.5, 0);
  disc(canvas, lamp.x, lamp.y, r, light.sun, 1);
  if (!moon) return;
  const seed = stage.random.stream('moon').fork();
  const crescent = stage.brief.lamps.has('crescent');
  const [crater, sky] = [hex('#aab2bd'), ramp(light.sky, lamp.y / stage.horizon)];
  for (let y = Math.floor(-r); y <= r; y++)
    for (let x = Math.floor(-r); x <= r; x++) {
      if (x * x + y * y > r * r) continue;
      const depth = smoothstep(0.45, 0.7, fbm((x / r) * 2.2 + 9, (y / r) * 2.2 + 9, seed, 3)) * 0.5;
      const [px, py] = [Math.round(lamp.x + x), Math.round(lamp.y + y)];
      disc(canvas, px, py, 0.7, crater, depth);
      if (crescent && Math.hypot(x - r * 0.45, y + r * 0.18) < r * 0.92) disc(canvas, px, py, 1, sky, 0.9);
    }
}

export function paintAurora({ canvas, horizon, random }: Stage): void {
  const { width, rgb } = canvas;
  const r = random.stream('aurora');
  const seed = r.fork();
  for (const [band, colour] of ['#4dffb0', '#37d6d0', '#a46bff'].map(hex).entries()) {
    const base = horizon * r.between(0.35, 0.8);
    for (let x = 0; x < width; x++) {
      const at = (frequency: number, row: number, s: number) => noise((x / width) * frequency, row, seed + s);
      const foot = base + horizon * ((at(3, band * 7, 0) - 0.5) * 0.55 + (at(11, band * 3, 0) - 0.5) * 0.09);
      const rays = 0.45 + 0.9 * at(60, band, 5) * at(17, band + 4, 6);
      const tall = horizon * (0.3 + 0.35 * at(5, band, 9));
      for (let y = Math.max(0, Math.floor(foot - tall)); y < Math.min(horizon, foot + 14 * canvas.unit); y++) {
        const t = (foot - y) / tall;
        const a = clamp((t < 0 ? 1 + t * 12 : Math.max(0, 1 - t) ** 1.7) * rays * 0.75) * 0.6;
        const tip = blend(colour, [0.75, 0.35, 0.95], clamp(t * 0.9));
        for (let c = 0, p = (y * width + x) * 3; c < 3; c++, p++) rgb[p] = rgb[p]! + tip[c]! * a;
      }
    }
  }
}

/** Paints clouds lit from the lamp's side; `cover` 0–1. */
export function paintClouds({ canvas, light, random, side, horizon }: Stage, cover: number): void {
  const { width, height, unit } = canvas;
  const seed = random.stream('clouds').fork();
  const s = 4.2 / Math.max(width, height);
  const rows = Math.min(height, Math.ceil(horizon) + 2);
  // The density is wanted at a pixel and, for its light, at a place nearer to the lamp.
  const [near, above] = [Math.round(22 * unit), Math.round(26 * unit)];
  // Margins of whole steps, so that every layer samples its noise at the same places.
  const step = Math.max(3, Math.round(4 * unit));
  const margin = (length: number) => Math.ceil(length / step) * step;
  const [left, head] = [side < 0 ? margin(near) : 0, margin(above)];
  const wide = width + margin(near);
  const density = field(wide, rows + head, step, (column, row) => {
    const [x, y] = [column - left, row - head];
    const warp = noise(x * s * 1.3, y * s * 3, seed + 77);
    return fbm(x * s + warp * 0.5, y * s * (1.7 + (y / horizon) * 2.2) + warp * 0.3, seed, 5);
  });
  const low = 0.68 - cover * 0.34;
  each(
    canvas,
    (r, g, b, x, y) => {
      const p = (y + head) * wide + x + left;
      const own = density[p]!;
      const a = smoothstep(low, low + 0.15, own) * smoothstep(1, 0.72, y / horizon) * 0.92;
      if (a <= 0.003) return null;
      const k = clamp(0.55 + (own - density[p + side * near - above * wide]!) * 5.5);
      return blend([r, g, b], blend(light.cloudShade, light.cloud, k), a);
    },
    0,
    rows,
  );
}

const spectrum: readonly Colour[] = '#8f5fd0 #4a78e0 #3fbf7f #f2e04f #f59a3f #ee5548'.split(' ').map(hex);

export function paintRainbow({ canvas, horizon, side }: Stage): void {
  const cx = canvas.width * (side > 0 ? 0.38 : 0.62);
  const radius = Math.min(canvas.width * 0.55, horizon * 1.05);
  const band = radius * 0.11;
  const paintAt = (r: number, g: number, b: number, x: number, y: number) => {
    const t = (Math.sqrt((x - cx) ** 2 + (y - horizon * 1.05) ** 2) - (radius - band)) / band;
    return t <= 0 || t >= 1 ? null : blend([r, g, b], ramp(spectrum, t), 0.42 * Math.sin(Math.PI * t) ** 0.6);
  };
  each(canvas, paintAt, 0, horizon);
}
