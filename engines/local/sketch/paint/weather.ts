/** Paints weather: rain, snow, fog and lightning. */
import { disc, each, stack } from '../canvas.ts';
import { blend } from '../colour.ts';
import { waves } from '../noise.ts';
import type { Stage } from './stage.ts';
import { smoothstep } from '../../pixels/range.ts';

export function paintFog(stage: Stage, strength: number): void {
  const { canvas, light } = stage;
  const { width, height } = canvas;
  const seed = stage.random.stream('fog').fork();
  const bank = waves(canvas, 8, { across: 3 / width, down: 8 / height, seed, octaves: 3 });
  each(canvas, (r, g, b, _x, y, i) => {
    const band = Math.exp(-(((y - stage.horizon) / (height * 0.24)) ** 2));
    return blend([r, g, b], light.haze, strength * (0.12 + 0.8 * band * smoothstep(0.25, 0.72, bank[i]!)));
  });
}

export function paintRain(stage: Stage): void {
  const { canvas, light } = stage;
  const random = stage.random.stream('rain');
  const { width, height, unit } = canvas;
  const slant = random.between(0.1, 0.3) * (random.chance(0.5) ? 1 : -1) * (stage.brief.weather.has('wind') ? 2 : 1);
  const drop = blend(light.cloud, [1, 1, 1], 0.4);
  for (let i = 0; i < 620; i++) {
    const near = random.next() ** 2;
    const [x, y] = [random.between(-0.1, 1.1) * width, random.next() * height];
    const ends = (row: number) => {
      const left = x + slant * (row - y);
      return [left, left + unit * (1.2 + 1.7 * near)] as const;
    };
    stack(canvas, y, y + unit * (22 + 74 * near), ends, drop, null, 0.26 + 0.24 * near);
  }
}

export function paintSnowfall({ canvas, ...stage }: Stage): void {
  const random = stage.random.stream('snowfall');
  for (let i = 0; i < 520; i++) {
    const near = random.next() ** 3;
    const [x, y] = [random.next() * canvas.width, random.next() * canvas.height];
    const radius = canvas.unit * (1.1 + 5.5 * near);
    disc(canvas, x, y, radius, [0.98, 0.99, 1], random.between(0.45, 0.95), near > 0.4 ? 0.2 : 0.7);
  }
}

export function paintLightning({ canvas, lamp, horizon, ...stage }: Stage): void {
  const random = stage.random.stream('lightning');
  const branch = (x: number, y: number, end: number, thick: number): void => {
    while (y < end) {
      const ny = y + random.between(6, 22) * canvas.unit;
      const nx = x + random.between(-17, 17) * canvas.unit;
      for (let k = 0; k <= 1; k += 0.04) {
        disc(canvas, x + (nx - x) * k, y + (ny - y) * k, thick * 9, [0.75, 0.82, 1], 0.035, 0);
        disc(canvas, x + (nx - x) * k, y + (ny - y) * k, thick, [1, 0.99, 0.94], 0.9, 0.7);
      }
      if (thick > canvas.unit * 1.4 && random.chance(0.14))
        branch(nx, ny, ny + (end - ny) * random.between(0.3, 0.6), thick * 0.55);
      [x, y] = [nx, ny];
    }
  };
  const x = (lamp.x / canvas.width > 0.5 ? random.between(0.12, 0.42) : random.between(0.58, 0.88)) * canvas.width;
  branch(x, 0, horizon, canvas.unit * 2.6);
}
