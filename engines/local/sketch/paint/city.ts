/** Paints skylines, whose windows are lit in the dark, and the cottages of a village. */
import { stack } from '../canvas.ts';
import { blend, hex, hsl, type Colour } from '../colour.ts';
import { lit, type Stage } from './stage.ts';
import type { Foot, Row } from './trees.ts';

const [warmLamp, paleLamp] = [hex('#ffd98a'), hex('#ffefc2')];

export function paintSkyline(stage: Stage, base: number, tall: number, distance: number, plane: number): void {
  const { canvas, light, side } = stage;
  const random = stage.random.stream(`skyline-${plane}`);
  const { width, height, unit } = canvas;
  const haze = distance ** 1.2 * 0.8;
  const neon = stage.brief.time === 'neon';
  const signs = neon && distance < 0.5 ? 0.6 : 0;
  const pane = blend(light.shadow, light.sky[1] ?? light.haze, 0.5);
  for (let x = -random.between(0, 0.05) * width; x < width;) {
    const [left, w] = [x, random.between(0.045, 0.105) * Math.min(width, height * 1.2) * (1.15 - distance * 0.45)];
    const h = tall * height * random.between(0.35, 1) * (1 - Math.abs((x + w / 2) / width - 0.5) * 0.9);
    const wall = lit(hsl(random.between(0.5, 0.7), random.between(0.08, 0.18), random.between(0.4, 0.6)), light);
    const sunny = blend(blend(wall, light.haze, haze), light.sun, light.dark ? 0 : 0.12);
    const shade = blend(blend(wall, light.shadow, 0.62), light.haze, haze);
    const top = base - h;
    const cell = Math.max(4, unit * random.between(9, 13) * (1.2 - distance * 0.6));
    const seed = random.fork();
    const sign = random.chance(signs) ? hsl(random.pick([0.52, 0.9, 0.83, 0.13]), 1, 0.62) : null;
    const signTop = random.between(0.2, 0.55);
    const spire = random.chance(0.25);
    const windowAt = (column: number, row: number, c: Colour): Colour => {
      // Hashes the position of a window, so that all pixels of the window have the same light.
      const n = ((column * 73856093) ^ (row * 19349663) ^ seed) >>> 0;
      if (!light.dark || (n % 97) / 97 >= 0.46) return blend(c, pane, 0.4 * (1 - haze));
      const lamp = neon && n % 5 === 0 ? hsl((n % 13) / 13, 0.9, 0.65) : n % 3 ? warmLamp : paleLamp;
      return blend(lamp, light.haze, haze * 0.8);
    };
    const facade = (t: number, y: number): Colour => {
      const [down, column, row] = [(y - top) / h, (t * w) / cell, (y - top) / (cell * 1.25)];
      const bright = (side < 0 ? t : 1 - t) < 0.62;
      let c = bright ? blend(sunny, shade, 0.1 + 0.25 * down) : shade;
      if (row > 0.6 && column % 1 > 0.32 && row % 1 > 0.42) c = windowAt(Math.floor(column), Math.floor(row), c);
      const [off, below] = [Math.abs(t - 0.5), down - signTop];
      if (!sign || off >= 0.16 || below <= 0 || below >= 0.22) return c;
      return Math.abs(off - 0.07) < 0.075 && Math.sin(row * 2.75) > -0.2 ? sign : blend(c, sign, 0.3);
    };
    if (spire) stack(canvas, top - h * 0.22, top, () => [left + w / 2 - unit, left + w / 2 + unit], shade, plane);
    const setback = (y: number) => (spire && y < top + h * 0.12 ? w * 0.2 : 0);
    stack(canvas, top, base + 2, (y) => [left + setback(y), left + w - setback(y)], facade, plane);
    x += w * random.between(0.82, 1.15);
  }
}

const walls = ['#f1e3c6', '#e9d3b0', '#e8dccb', '#d9b48c', '#c9d3cf'];
const roofs = ['#a8492f', '#8c3b2a', '#5c6470', '#b2673a'];
const snowyRoofs = ['#eef3fa', '#dfe8f4'];

/** Paints cottages with pitched roofs along a line. */
export function paintCottages(stage: Stage, [count, tall, distance]: Row, plane: number, foot: Foot) {
  const { canvas, light, side } = stage;
  const random = stage.random.stream(`cottages-${plane}`);
  const haze = distance * 0.7;
  const painted = (codes: readonly string[]) => blend(lit(hex(random.pick(codes)), light), light.haze, haze);
  const shaded = (c: Colour) => blend(c, light.shadow, 0.38 * (1 - haze));
  for (let i = 0; i < count; i++) {
    const w = tall * canvas.height * random.between(0.8, 1.25);
    const x = ((i + random.between(0.1, 0.9)) / count) * canvas.width - w / 2;
    const base = foot(x + w / 2) + random.between(-0.1, 0.3) * w;
    const [wallHeight, roofHeight] = [w * random.between(0.42, 0.6), w * random.between(0.38, 0.55)];
    const wall = painted(walls);
    const roof = painted(stage.brief.scenes.includes('winter') ? snowyRoofs : roofs);
    const window = light.dark ? hex('#ffd27a') : shaded(blend(wall, [0.2, 0.3, 0.42], 0.7));
    const door = shaded(blend(roof, [0.3, 0.18, 0.1], 0.6));
    const eaves = base - wallHeight;
    const facade = (t: number, y: number): Colour => {
      const [up, off] = [(base - y) / wallHeight, Math.abs(t - 0.5)];
      if (up > 0.35 && up < 0.75 && off > 0.22 && off < 0.36) return window;
      if (up < 0.62 && off < 0.075) return door;
      return (side < 0 ? t > 0.66 : t < 0.34) ? shaded(wall) : wall;
    };
    const down = (y: number) => (y - eaves + roofHeight) / roofHeight;
    const slopes = (y: number) => [x + w * (0.3 - 0.38 * down(y)), x + w * (0.7 + 0.38 * down(y))] as const;
    const tiled = (u: number) => blend(roof, shaded(roof), side < 0 ? u : 1 - u);
    const chimney = [x + w * 0.68, x + w * 0.77] as const;
    stack(canvas, eaves, base, () => [x, x + w], facade, plane);
    stack(canvas, eaves - roofHeight, eaves + 2, slopes, tiled, plane);
    stack(canvas, eaves - roofHeight * 1.12, eaves - roofHeight * 0.45, () => chimney, shaded(wall), plane);
  }
}
