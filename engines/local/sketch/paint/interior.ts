/** Indoors: a wall with window light, and a table in front of it. */
import { run } from '../canvas.ts';
import { blend, hex, mixInto, type Colour } from '../colour.ts';
import { fbm, field } from '../noise.ts';
import { paintGround } from './ground.ts';
import { lit, type Stage } from './stage.ts';
import { clamp, smoothstep } from '../../pixels/range.ts';

const walls = ['#7d8a78', '#8c6f5c', '#5f7480', '#a38a68', '#6b5b6e', '#4d5f58'];

function paintWall(stage: Stage, colour?: Colour): void {
  const { canvas, light, side } = stage;
  const { width, height, rgb } = canvas;
  const random = stage.random.stream('wall');
  const seed = random.fork();
  const base = lit(colour ?? hex(random.pick(walls)), light);
  const mottled = field(width, height, 5, (x, y) => fbm((x / width) * 5, (y / height) * 5, seed, 4));
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const i = y * width + x;
      const d = Math.hypot(x / width - (side < 0 ? 0.2 : 0.8), (y / height - 0.25) * 0.9);
      const beam =
        smoothstep(0.1, 0, Math.abs(((x * side) / width + y / height) * 0.7 - (side < 0 ? -0.06 : 0.62))) * 0.16;
      const k = clamp(1 - d * 0.95) * 0.75 + (mottled[i]! - 0.5) * 0.35 + beam;
      mixInto(rgb, i * 3, blend(blend(base, light.shadow, 0.62), blend(base, light.sun, 0.38), clamp(k)), 1);
    }
}

export function paintTable(stage: Stage): void {
  paintWall(stage);
  paintGround(stage, 'wood', stage.groundTop, 4, 0.0001);
  const { canvas, light } = stage;
  const cloth = lit(hex(stage.random.stream('cloth').pick(['#efe6d4', '#c9d4d8', '#d9b7a6', '#e6dcc0'])), light);
  if (!stage.random.stream('cloth?').chance(0.55)) return;
  const middle = canvas.width * 0.5;
  for (let y = Math.floor(stage.groundTop + canvas.height * 0.05); y < canvas.height; y++) {
    const t = (y - stage.groundTop) / (canvas.height - stage.groundTop);
    const half = canvas.width * (0.33 + 0.28 * t);
    run(
      canvas,
      y,
      middle - half,
      middle + half,
      (u) => blend(cloth, light.shadow, clamp(0.12 + 0.16 * Math.sin(u * 21 + t * 2) ** 2 + t * 0.18)),
      0.94,
      4,
    );
  }
}

/** A room: floor, wall, a window on the lit side. */
export function paintRoom(stage: Stage): void {
  paintWall(stage);
  paintGround(stage, 'wood', stage.groundTop, 4, 0.0001);
  const { canvas, light, side } = stage;
  const [w, h] = [canvas.width * 0.26, canvas.height * 0.42];
  const x0 = side < 0 ? canvas.width * 0.1 : canvas.width * 0.64;
  const y0 = canvas.height * 0.1;
  const frame = lit(hex('#efe7d6'), light);
  for (let y = Math.floor(y0); y < y0 + h; y++)
    run(
      canvas,
      y,
      x0,
      x0 + w,
      (u) => {
        const v = (y - y0) / h;
        const bar =
          u < 0.05 || u > 0.95 || v < 0.035 || v > 0.965 || Math.abs(u - 0.5) < 0.02 || Math.abs(v - 0.5) < 0.014;
        const sky = light.sky[Math.min(light.sky.length - 1, Math.floor(v * light.sky.length))] ?? light.haze;
        return bar
          ? frame
          : v > 0.72 + 0.08 * Math.sin(u * 9)
            ? blend(lit(hex('#6f9a55'), light), light.haze, 0.35)
            : blend(sky, light.sun, 0.25);
      },
      1,
      2,
    );
  const skirting = lit(hex('#d8cdb8'), light);
  for (let y = Math.floor(stage.groundTop - canvas.height * 0.035); y < stage.groundTop; y++)
    run(canvas, y, 0, canvas.width, () => blend(skirting, light.shadow, 0.25), 1, 3);
}
