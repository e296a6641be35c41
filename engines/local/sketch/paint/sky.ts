/** Paints the sky: gradient, stars, aurora, sun or moon with its glow, clouds and rainbow. */
import { type Canvas, disc, eachWithin } from '../canvas.ts';
import { blend, hex, ramp, rampTable } from '../colour.ts';
import { fbm, field, noise, waves } from '../noise.ts';
import type { Random } from '../random.ts';
import { hiddenFrom, type Stage } from './stage.ts';
import { clamp, smoothstep } from '../../pixels/range.ts';

/** Paints everything above the horizon. */
export function paintHeavens(stage: Stage): void {
  const { brief, light } = stage;
  paintGradient(stage);
  const stars = brief.lamps.has('stars') ? 630 : brief.time === 'dusk' ? 105 : 335;
  if (light.dark && !brief.weather.has('rain') && !brief.unlit.has('stars'))
    scatterStars(stage.canvas, stage.random.stream('stars'), stars, stage.horizon);
  if (brief.lamps.has('shooting')) paintShootingStar(stage);
  if (brief.time === 'aurora') paintAurora(stage);
  if (stage.lamp.visible) paintLamp(stage);
  paintClouds(stage, cloudCover(stage));
  if (brief.weather.has('rainbow')) paintRainbow(stage);
}

function cloudCover({ brief, light, random }: Stage): number {
  if (brief.time === 'storm' || brief.time === 'overcast') return 1.05;
  if (brief.weather.has('clouds') || brief.scenes.includes('sky')) return 0.85;
  if (brief.weather.has('clear')) return 0;
  return random.stream('heavens').between(light.dark ? 0.1 : 0.3, light.dark ? 0.4 : 0.7);
}

function paintGradient(stage: Stage): void {
  const { canvas, light, lamp, random } = stage;
  const { width, height } = canvas;
  const reach = Math.max(width, height);
  const seed = random.stream('sky').fork();
  const bottom = hiddenFrom(stage);
  const wobble = waves({ width, height: bottom }, 8, { across: 3 / reach, down: 7 / reach, seed, octaves: 3 });
  const [spread, strength] = light.dark ? [9, lamp.visible ? 0.5 : 0] : [5, 0.55];
  const glow = field({ width, height: bottom }, 4, (x, y) => {
    const d = Math.sqrt((x - lamp.x) ** 2 + ((y - lamp.y) * 1.15) ** 2) / reach;
    return Math.exp(-d * spread) * strength;
  });
  const colour = rampTable(light.sky, 4096);
  eachWithin(canvas, 0, bottom, (_r, _g, _b, _x, y, i) =>
    blend(colour(y / stage.horizon + (wobble[i]! - 0.5) * 0.12), light.sun, glow[i]!),
  );
}

/** Paints `total` stars above the row `bottom`, more densely towards the top. */
export function scatterStars(canvas: Canvas, random: Random, total: number, bottom: number): void {
  for (let i = 0; i < total; i++) {
    const [x, y] = [random.next() * canvas.width, random.next() ** 1.3 * bottom];
    const big = random.chance(0.06);
    const r = canvas.unit * (big ? random.between(2, 3.4) : random.between(0.6, 1.5));
    const colour = blend([1, 1, 1], hex(random.chance(0.5) ? '#bcd4ff' : '#ffe6c0'), random.next());
    if (big) disc(canvas, x, y, r * 4, colour, 0.25, 0);
    disc(canvas, x, y, r, colour, random.between(0.4, 1), 0.8);
  }
}

function paintShootingStar({ canvas, horizon, ...stage }: Stage): void {
  const random = stage.random.stream('shooting');
  const [x0, y0] = [random.between(0.35, 0.8) * canvas.width, random.between(0.08, 0.25) * horizon];
  for (let t = 0; t < 1; t += 0.004) {
    const far = t * 0.28 * canvas.width;
    disc(canvas, x0 - far, y0 + far * 0.42, canvas.unit * (0.6 + 3 * t ** 3), [1, 1, 0.92], t * t, 0.5);
  }
}

function paintLamp({ canvas, lamp, light, brief, horizon, random }: Stage): void {
  const r = lamp.radius;
  disc(canvas, lamp.x, lamp.y, r * 3.4, light.sun, 0.5, 0);
  disc(canvas, lamp.x, lamp.y, r, light.sun, 1);
  if (!light.dark || brief.time === 'dusk' || brief.time === 'neon') return;
  const seed = random.stream('moon').fork();
  const crater = hex('#aab2bd');
  eachWithin(canvas, lamp.y - r - 1, lamp.y + r + 2, (red, green, blue, x, y) => {
    const [u, v] = [(x - lamp.x) / r, (y - lamp.y) / r];
    if (u * u + v * v > 1) return null;
    return blend([red, green, blue], crater, smoothstep(0.45, 0.7, fbm(u * 2.2 + 9, v * 2.2 + 9, seed, 3)) * 0.5);
  });
  // The sky covers a part of a crescent moon.
  if (brief.lamps.has('crescent'))
    disc(canvas, lamp.x + r * 0.45, lamp.y - r * 0.18, r * 0.93, ramp(light.sky, lamp.y / horizon), 1);
}

function paintAurora({ canvas, horizon, random }: Stage): void {
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
        for (let c = 0; c < 3; c++) rgb[(y * width + x) * 3 + c]! += tip[c]! * a;
      }
    }
  }
}

/** Paints clouds that are lit from the lamp's side. `cover` is 0 for a clear sky and about 1 for a covered one. */
function paintClouds({ canvas, light, random, side, horizon }: Stage, cover: number): void {
  if (cover === 0) return;
  const { width, height, unit } = canvas;
  const seed = random.stream('clouds').fork();
  const s = 4.2 / Math.max(width, height);
  const rows = Math.min(height, Math.ceil(horizon) + 2);
  const density = field({ width, height: rows }, Math.max(3, Math.round(4 * unit)), (x, y) => {
    const warp = noise(x * s * 1.3, y * s * 3, seed + 77);
    return fbm(x * s + warp * 0.5, y * s * (1.7 + (y / horizon) * 2.2) + warp * 0.3, seed, 5);
  });
  const [near, above] = [side * Math.round(22 * unit), Math.round(26 * unit)];
  const low = 0.68 - cover * 0.34;
  eachWithin(canvas, 0, rows, (r, g, b, x, y, i) => {
    const own = density[i]!;
    const a = smoothstep(low, low + 0.15, own) * smoothstep(1, 0.72, y / horizon) * 0.92;
    if (a <= 0.003) return null;
    // Clouds are bright where they are less dense towards the lamp.
    const towards = density[Math.max(0, y - above) * width + clamp(x + near, 0, width - 1)]!;
    return blend([r, g, b], blend(light.cloudShade, light.cloud, clamp(0.55 + (own - towards) * 5.5)), a);
  });
}

const spectrum = '#8f5fd0 #4a78e0 #3fbf7f #f2e04f #f59a3f #ee5548'.split(' ').map(hex);

function paintRainbow({ canvas, horizon, side }: Stage): void {
  const cx = canvas.width * (side > 0 ? 0.38 : 0.62);
  const radius = Math.min(canvas.width * 0.55, horizon * 1.05);
  const band = radius * 0.11;
  eachWithin(canvas, 0, horizon, (r, g, b, x, y) => {
    const t = (Math.sqrt((x - cx) ** 2 + (y - horizon * 1.05) ** 2) - (radius - band)) / band;
    return t <= 0 || t >= 1 ? null : blend([r, g, b], ramp(spectrum, t), 0.42 * Math.sin(Math.PI * t) ** 0.6);
  });
}
