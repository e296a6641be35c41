/** Value noise on an integer lattice, plain or periodic, and fields of it on a coarse grid. */

export function lattice(x: number, y: number, seed: number): number {
  let h = Math.imul(x, 0x27d4eb2d) ^ Math.imul(y, 0x165667b1) ^ seed;
  h = Math.imul(h ^ (h >>> 15), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return ((h ^ (h >>> 16)) >>> 0) / 4294967296;
}

/** 0–1, smooth. With a period (whole lattice steps) the field repeats. */
export function noise(x: number, y: number, seed: number, px = 0, py = 0): number {
  let x0 = Math.floor(x);
  let y0 = Math.floor(y);
  const fx = x - x0;
  const fy = y - y0;
  let x1 = x0 + 1;
  let y1 = y0 + 1;
  if (px > 0) {
    x0 = ((x0 % px) + px) % px;
    x1 = ((x1 % px) + px) % px;
  }
  if (py > 0) {
    y0 = ((y0 % py) + py) % py;
    y1 = ((y1 % py) + py) % py;
  }
  const u = fx * fx * fx * (fx * (fx * 6 - 15) + 10);
  const v = fy * fy * fy * (fy * (fy * 6 - 15) + 10);
  const a = lattice(x0, y0, seed);
  const b = lattice(x1, y0, seed);
  const c = lattice(x0, y1, seed);
  const d = lattice(x1, y1, seed);
  return a + (b - a) * u + (c - a + (a - b - c + d) * u) * v;
}

/** Octaves of noise, 0–1. */
export function fbm(x: number, y: number, seed: number, octaves: number, px = 0, py = 0): number {
  let sum = 0;
  let amplitude = 0.5;
  let total = 0;
  for (let o = 0; o < octaves; o++) {
    sum += amplitude * noise(x, y, seed + o * 1013, px, py);
    total += amplitude;
    amplitude *= 0.5;
    x = x * 2 + (px > 0 ? 0 : 17.3);
    y = y * 2 + (py > 0 ? 0 : 9.1);
    px *= 2;
    py *= 2;
  }
  return sum / total;
}

/** Sharp crests: mountains, marble veins. 0–1. */
export function ridged(x: number, y: number, seed: number, octaves: number, px = 0, py = 0): number {
  let sum = 0;
  let amplitude = 0.5;
  let total = 0;
  for (let o = 0; o < octaves; o++) {
    const n = 1 - Math.abs(noise(x, y, seed + o * 1013, px, py) * 2 - 1);
    sum += amplitude * n * n;
    total += amplitude;
    amplitude *= 0.5;
    x = x * 2 + (px > 0 ? 0 : 5.2);
    y = y * 2 + (py > 0 ? 0 : 1.3);
    px *= 2;
    py *= 2;
  }
  return sum / total;
}

/** Evaluates a function every `step` pixels and interpolates between: noise at a fraction of its cost. */
export function field(
  width: number,
  height: number,
  step: number,
  value: (x: number, y: number) => number,
): Float32Array {
  const columns = Math.ceil(width / step) + 1;
  const rows = Math.ceil(height / step) + 1;
  const coarse = new Float32Array(columns * rows);
  for (let j = 0; j < rows; j++) for (let i = 0; i < columns; i++) coarse[j * columns + i] = value(i * step, j * step);
  const out = new Float32Array(width * height);
  for (let y = 0; y < height; y++) {
    const j = Math.floor(y / step);
    const v = y / step - j;
    for (let x = 0; x < width; x++) {
      const i = Math.floor(x / step);
      const u = x / step - i;
      const p = j * columns + i;
      const a = coarse[p]!;
      const b = coarse[p + 1]!;
      const c = coarse[p + columns]!;
      const d = coarse[p + columns + 1]!;
      out[y * width + x] = a + (b - a) * u + (c - a + (a - b - c + d) * u) * v;
    }
  }
  return out;
}

const grainSide = 256;

/** A small periodic texture, looked up instead of computed: `grain[(y & 255) * 256 + (x & 255)]`, 0–1. */
export function grainTexture(seed: number, frequency = 32, octaves = 3): Float32Array {
  const out = new Float32Array(grainSide * grainSide);
  const scale = frequency / grainSide;
  for (let y = 0; y < grainSide; y++)
    for (let x = 0; x < grainSide; x++)
      out[y * grainSide + x] = fbm(x * scale, y * scale, seed, octaves, frequency, frequency);
  return out;
}

/** Looks a grain texture up, smoothly, at any place. */
export function grainAt(grain: Float32Array, x: number, y: number): number {
  const x0 = Math.floor(x);
  const y0 = Math.floor(y);
  const u = x - x0;
  const v = y - y0;
  const r0 = (y0 & 255) << 8;
  const r1 = ((y0 + 1) & 255) << 8;
  const a = grain[r0 | (x0 & 255)]!;
  const b = grain[r0 | ((x0 + 1) & 255)]!;
  const c = grain[r1 | (x0 & 255)]!;
  const d = grain[r1 | ((x0 + 1) & 255)]!;
  return a + (b - a) * u + (c - a + (a - b - c + d) * u) * v;
}
