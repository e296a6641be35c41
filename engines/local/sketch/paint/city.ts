/** A skyline in layers, its windows lit when it is dark; and the small houses of a village. */
import { run } from '../canvas.ts';
import { blend, hex, hsl, type Colour } from '../colour.ts';
import { lit, type Stage } from './stage.ts';

export function paintSkyline(stage: Stage, base: number, tall: number, distance: number, plane: number): void {
  const { canvas, light, side } = stage;
  const random = stage.random.stream(`skyline-${plane}`);
  const { width, height, unit } = canvas;
  const haze = distance ** 1.2 * 0.8;
  const glowing = light.dark;
  const neon = stage.brief.time === 'neon';
  let x = -random.between(0, 0.05) * width;
  while (x < width) {
    const w = random.between(0.045, 0.105) * Math.min(width, height * 1.2) * (1.15 - distance * 0.45);
    const middle = 1 - Math.abs((x + w / 2) / width - 0.5) * 0.9;
    const h = tall * height * random.between(0.35, 1) * middle;
    const wall = lit(
      blend(
        hsl(random.between(0.55, 0.68), 0.16, random.between(0.38, 0.62)),
        hsl(0.07, 0.3, 0.55),
        random.chance(0.3) ? 0.7 : 0,
      ),
      light,
    );
    const sunny = blend(blend(wall, light.haze, haze), light.sun, light.dark ? 0 : 0.12);
    const shade = blend(blend(wall, light.shadow, 0.62), light.haze, haze);
    const top = base - h;
    const cell = Math.max(4, unit * random.between(9, 13) * (1.2 - distance * 0.6));
    const seed = random.fork();
    const sign =
      neon && distance < 0.5 && random.chance(0.6) ? hsl(random.pick([0.52, 0.9, 0.83, 0.13]), 1, 0.62) : null;
    const signAt = random.between(0.2, 0.55);
    const spire = random.chance(0.25);
    if (spire)
      for (let y = Math.floor(top - h * 0.22); y < top; y++)
        run(canvas, y, x + w / 2 - unit, x + w / 2 + unit, () => shade, 1, plane);
    for (let y = Math.floor(top); y < base + 2; y++) {
      const setback = y < top + h * 0.12 && spire ? w * 0.2 : 0;
      run(
        canvas,
        y,
        x + setback,
        x + w - setback,
        (t) => {
          const face = side < 0 ? t : 1 - t;
          let c = face < 0.62 ? blend(sunny, shade, 0.1 + 0.25 * ((y - top) / h)) : shade;
          const wx = (t * w) / cell;
          const wy = (y - top) / (cell * 1.25);
          if (wy > 0.6 && wx % 1 > 0.32 && wy % 1 > 0.42) {
            const n = ((Math.floor(wx) * 73856093) ^ (Math.floor(wy) * 19349663) ^ seed) >>> 0;
            const on = (n % 97) / 97 < (glowing ? 0.46 : 0.1);
            const lamp: Colour =
              neon && n % 5 === 0 ? hsl((n % 13) / 13, 0.9, 0.65) : hex(n % 3 ? '#ffd98a' : '#ffefc2');
            c =
              on && glowing
                ? blend(lamp, light.haze, haze * 0.8)
                : blend(c, blend(light.shadow, light.sky[1] ?? light.haze, 0.5), 0.4 * (1 - haze));
          }
          if (sign && Math.abs(t - 0.5) < 0.16 && (y - top) / h > signAt && (y - top) / h < signAt + 0.22) {
            const stroke = Math.sin(((y - top) / cell) * 2.2) > -0.2 && Math.abs(Math.abs(t - 0.5) - 0.07) < 0.075;
            c = stroke ? sign : blend(c, sign, 0.3);
          }
          return c;
        },
        1,
        plane,
      );
    }
    x += w * random.between(0.82, 1.15);
  }
}

/** Cottages with pitched roofs along a line. */
export function paintCottages(
  stage: Stage,
  foot: (x: number) => number,
  count: number,
  tall: number,
  distance: number,
  plane: number,
): void {
  const { canvas, light, side } = stage;
  const random = stage.random.stream(`cottages-${plane}`);
  const haze = distance * 0.7;
  for (let i = 0; i < count; i++) {
    const w = tall * canvas.height * random.between(0.8, 1.25);
    const x = ((i + random.between(0.1, 0.9)) / count) * canvas.width - w / 2;
    const y0 = foot(x + w / 2) + random.between(-0.1, 0.3) * w;
    const wallHeight = w * random.between(0.42, 0.6);
    const roofHeight = w * random.between(0.38, 0.55);
    const wall = blend(
      lit(hex(random.pick(['#f1e3c6', '#e9d3b0', '#e8dccb', '#d9b48c', '#c9d3cf'])), light),
      light.haze,
      haze,
    );
    const roof = blend(
      lit(
        hex(
          random.pick(
            stage.brief.scenes.includes('winter')
              ? ['#eef3fa', '#dfe8f4']
              : ['#a8492f', '#8c3b2a', '#5c6470', '#b2673a'],
          ),
        ),
        light,
      ),
      light.haze,
      haze,
    );
    const dark = (c: Colour): Colour => blend(c, light.shadow, 0.38 * (1 - haze));
    for (let y = Math.floor(y0 - wallHeight); y < y0; y++)
      run(
        canvas,
        y,
        x,
        x + w,
        (t) => {
          const v = (y0 - y) / wallHeight;
          const shaded = (side < 0 ? t > 0.66 : t < 0.34) ? dark(wall) : wall;
          const pane = v > 0.35 && v < 0.75 && ((t > 0.14 && t < 0.28) || (t > 0.72 && t < 0.86));
          const door = v < 0.62 && t > 0.43 && t < 0.58;
          if (pane) return light.dark ? hex('#ffd27a') : dark(blend(wall, [0.2, 0.3, 0.42], 0.7));
          return door ? dark(blend(roof, [0.3, 0.18, 0.1], 0.6)) : shaded;
        },
        1,
        plane,
      );
    for (let y = Math.floor(y0 - wallHeight - roofHeight); y < y0 - wallHeight + 2; y++) {
      const t = (y - (y0 - wallHeight - roofHeight)) / roofHeight;
      run(
        canvas,
        y,
        x + w * (0.3 - 0.38 * t),
        x + w * (0.7 + 0.38 * t),
        (u) => blend(roof, dark(roof), (side < 0 ? u : 1 - u) * 0.9 + 0.1 * Math.sin(t * 40)),
        1,
        plane,
      );
    }
    const chimney = x + w * 0.68;
    for (let y = Math.floor(y0 - wallHeight - roofHeight * 1.12); y < y0 - wallHeight - roofHeight * 0.45; y++)
      run(canvas, y, chimney, chimney + w * 0.09, () => dark(wall), 1, plane);
  }
}
