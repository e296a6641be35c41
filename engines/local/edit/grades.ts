/** Edits of light and colour as functions of one display colour; a lookup table applies any number of them at once. */
import type { GradeEdit } from './edits.ts';
import { display, fromOklab, linear, luminance, oklab, type Colour } from '../oklab.ts';
import { cubeOf, lookUp } from '../pixels/cube.ts';
import { clamp } from '../pixels/range.ts';
import type { Raster } from '../raster.ts';
import { blend } from '../sketch/colour.ts';

export type Grade = (c: Colour) => Colour;

/** Applies a chain of grades to every pixel. */
export function graded(raster: Raster, grades: readonly Grade[]): Raster {
  const cube = cubeOf((from) => grades.reduce<Colour>((colour, grade) => grade(colour), [...from]));
  const data = new Uint8Array(raster.data);
  const colour = new Float32Array(3);
  for (let i = 0; i < data.length; i += 4) {
    lookUp(cube, raster.data, i, colour);
    for (let c = 0; c < 3; c++) data[i + c] = Math.round(colour[c]!);
  }
  return { ...raster, data };
}

type Grades = { [K in GradeEdit['kind']]: (edit: Extract<GradeEdit, { kind: K }>) => Grade };

const grades: Grades = {
  exposure: ({ stops }) => exposure(stops),
  contrast: ({ amount }) => inLab(contrast(amount)),
  shadows: ({ amount }) => inLab(([L, a, b]) => [L + amount * 2 * L * (1 - L) ** 3, a, b]),
  highlights: ({ amount }) => inLab(([L, a, b]) => [L + amount * 1.8 * L ** 3 * (1 - L), a, b]),
  temperature: ({ amount }) => temperature(amount),
  saturation: ({ factor }) => inLab(saturation(factor)),
  tint: ({ colour, amount }) => inLab(tint(oklab(colour), amount)),
  monochrome: () => gray,
  sepia: ({ amount }) => mixed(inLab(sepia), amount),
  vintage: ({ amount }) => mixed(inLab(vintage), amount),
  invert:
    () =>
    ([r, g, b]) => [1 - r, 1 - g, 1 - b],
};

export function gradeOf(edit: GradeEdit): Grade {
  const make = grades[edit.kind] as (edit: GradeEdit) => Grade;
  return make(edit);
}

const inLab =
  (grade: Grade): Grade =>
  (c) =>
    fromOklab(grade(oklab(c)));

const mixed =
  (grade: Grade, amount: number): Grade =>
  (c) => [...blend(c, grade(c), Math.min(1, amount))];

/** Returns a weight that is highest for middle tones, so that black and white stay. */
const toned = (L: number): number => clamp(4 * L * (1 - L)) ** 0.7;

/** Brightens with a shoulder, so that white stays white and nothing clips; darkening dims white too. */
function exposure(stops: number): Grade {
  const gain = 2 ** stops;
  const power = Math.min(1.5, 1 + 0.9 / (gain - 1 + 1e-6));
  const bend = gain ** 0.25;
  const curve = (v: number): number => {
    const x = linear(v);
    return clamp(display((gain * x) / (gain >= 1 ? 1 + (gain - 1) * x ** power : 1 + (bend - 1) * x)));
  };
  return ([r, g, b]) => [curve(r), curve(g), curve(b)];
}

function contrast(amount: number): Grade {
  const pivot = 0.58;
  const power = 1 + 1.1 * Math.max(0, amount);
  return ([L, a, b]) => {
    if (amount < 0) {
      const flat = 1 - 0.6 * clamp(-amount);
      return [pivot + (L - pivot) * flat, a * (1 + 0.25 * amount), b * (1 + 0.25 * amount)];
    }
    const [side, t] = L < pivot ? [pivot, L] : [1 - pivot, 1 - L];
    const bent = side * Math.abs(t / side) ** power;
    return [L < pivot ? bent : 1 - bent, a * (1 + 0.2 * amount), b * (1 + 0.2 * amount)];
  };
}

function temperature(amount: number): Grade {
  const [red, green, blue] = [2 ** (0.42 * amount), 2 ** (0.06 * amount), 2 ** (-0.6 * amount)];
  return (c) => {
    const from: Colour = [linear(c[0]), linear(c[1]), linear(c[2])];
    const to: Colour = [from[0] * red, from[1] * green, from[2] * blue];
    const keep = luminance(from) / Math.max(1e-6, luminance(to));
    const top = Math.max(1, to[0] * keep, to[1] * keep, to[2] * keep);
    const k = keep / top;
    return [clamp(display(to[0] * k)), clamp(display(to[1] * k)), clamp(display(to[2] * k))];
  };
}

/** Changes pale colours more than strong ones, which would lose their shading. */
function saturation(factor: number): Grade {
  return ([L, a, b]) => {
    const room = factor > 1 ? clamp(1 - Math.hypot(a, b) / 0.4) ** 0.6 : 1;
    const k = 1 + (factor - 1) * room;
    return [L, a * k, b * k];
  };
}

/** Adds a colour; a negative amount removes it where it occurs. */
function tint([tL, ta, tb]: Colour, amount: number): Grade {
  const strength = Math.hypot(ta, tb);
  if (amount < 0) {
    const [ua, ub] = strength > 0.01 ? [ta / strength, tb / strength] : [0, 0];
    return ([L, a, b]) => {
      const along = Math.max(0, a * ua + b * ub);
      const less = Math.min(1, -amount * 1.6) * along + 0.02 * -amount * toned(L);
      return [L, a - ua * less, b - ub * less];
    };
  }
  const k = Math.min(1, amount);
  const light = strength < 0.03 ? 0.35 : 0.08;
  return ([L, a, b]) => {
    const w = toned(L);
    return [L + (tL - L) * k * light * w, a + (ta * w - a) * k, b + (tb * w - b) * k];
  };
}

function gray(c: Colour): Colour {
  const v = clamp(display(luminance([linear(c[0]), linear(c[1]), linear(c[2])])));
  return [v, v, v];
}

const sepia: Grade = ([L]) => [0.03 + 0.95 * L, 0.022 * toned(L), 0.062 * toned(L)];

/** Lifts blacks, dims whites, and turns lights yellow and shadows greenish. */
function vintage([L, a, b]: Colour): Colour {
  const light = 0.14 + 0.8 * L + 0.05 * Math.sin(2 * Math.PI * (L - 0.5));
  const dark = (1 - L) ** 2;
  return [light, a * 0.68 - 0.012 * dark + 0.008 * L, b * 0.68 + 0.045 * L + 0.006 * dark];
}
