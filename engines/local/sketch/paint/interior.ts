/** Paints indoor scenes: a wall with window light, and a table or a floor in front of it. */
import { eachWithin, stack } from '../canvas.ts';
import { blend, hex } from '../colour.ts';
import { waves } from '../noise.ts';
import { paintGround } from './ground.ts';
import { lit, type Stage } from './stage.ts';
import { clamp, smoothstep } from '../../pixels/range.ts';

const walls = ['#7d8a78', '#8c6f5c', '#5f7480', '#a38a68', '#6b5b6e', '#4d5f58'];
const cloths = ['#efe6d4', '#c9d4d8', '#d9b7a6', '#e6dcc0'];

/** Paints the wall, and boards below the edge of the ground. */
function paintInside(stage: Stage): void {
  const { canvas, light, side, groundTop } = stage;
  const { width, height } = canvas;
  const random = stage.random.stream('wall');
  const seed = random.fork();
  const base = lit(hex(random.pick(walls)), light);
  const [shade, shine] = [blend(base, light.shadow, 0.62), blend(base, light.sun, 0.38)];
  const mottled = waves(canvas, 5, { across: 5 / width, down: 5 / height, seed, octaves: 4 });
  eachWithin(canvas, 0, groundTop + 2, (_r, _g, _b, x, y, i) => {
    const [u, v] = [x / width, y / height];
    const d = Math.sqrt((u - (side < 0 ? 0.2 : 0.8)) ** 2 + ((v - 0.25) * 0.9) ** 2);
    const beam = smoothstep(0.1, 0, Math.abs((u * side + v) * 0.7 - (side < 0 ? -0.06 : 0.62))) * 0.16;
    return blend(shade, shine, clamp(clamp(1 - d * 0.95) * 0.75 + (mottled[i]! - 0.5) * 0.35 + beam));
  });
  paintGround(stage, 'wood', groundTop, 4, 0.0001);
}

/** Paints a wooden table with a cloth. */
export function paintTable(stage: Stage): void {
  paintInside(stage);
  const { canvas, light, groundTop, random } = stage;
  const cloth = lit(hex(random.stream('cloth').pick(cloths)), light);
  const near = (y: number) => (y - groundTop) / (canvas.height - groundTop);
  const ends = (y: number) => [canvas.width * (0.17 - 0.28 * near(y)), canvas.width * (0.83 + 0.28 * near(y))] as const;
  const folds = (u: number, y: number) =>
    blend(cloth, light.shadow, clamp(0.12 + 0.16 * Math.sin(u * 21 + near(y) * 2) ** 2 + near(y) * 0.18));
  stack(canvas, groundTop + canvas.height * 0.05, canvas.height, ends, folds, 4, 0.94);
}

/** Paints a room: floor, wall, a window on the lit side. */
export function paintRoom(stage: Stage): void {
  paintInside(stage);
  const { canvas, light, side, groundTop } = stage;
  const { width, height } = canvas;
  const [x0, y0] = [width * (side < 0 ? 0.1 : 0.64), height * 0.1];
  const [frame, hedge] = [lit(hex('#efe7d6'), light), blend(lit(hex('#6f9a55'), light), light.haze, 0.35)];
  const view = (u: number, y: number) => {
    const v = (y - y0) / (height * 0.42);
    const cross = Math.abs(u - 0.5) < 0.02 || Math.abs(v - 0.5) < 0.014;
    if (cross || u < 0.05 || u > 0.95 || v < 0.035 || v > 0.965) return frame;
    if (v > 0.72 + 0.08 * Math.sin(u * 9)) return hedge;
    return blend(light.sky[Math.floor(v * light.sky.length)]!, light.sun, 0.25);
  };
  stack(canvas, y0, y0 + height * 0.42, () => [x0, x0 + width * 0.26], view, 2);
  const skirting = blend(lit(hex('#d8cdb8'), light), light.shadow, 0.25);
  stack(canvas, groundTop - height * 0.035, groundTop, () => [0, width], skirting, 3);
}
