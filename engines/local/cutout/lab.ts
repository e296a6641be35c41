/** Colours as eyes tell them apart: three planes of CIE L*a*b*. */
import type { Raster } from '../raster.ts';
import { type Plane, plane } from './plane.ts';

const linear = Float64Array.from({ length: 256 }, (_, value) =>
  value <= 10 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4,
);

export function labOf({ width, height, data }: Raster<3>): [Plane, Plane, Plane] {
  const [light, a, b] = [plane(width, height), plane(width, height), plane(width, height)];
  for (let i = 0; i < width * height; i++) {
    const [red, green, blue] = [linear[data[i * 3]!]!, linear[data[i * 3 + 1]!]!, linear[data[i * 3 + 2]!]!];
    const x = bent((0.4124564 * red + 0.3575761 * green + 0.1804375 * blue) / 0.95047);
    const y = bent(0.2126729 * red + 0.7151522 * green + 0.072175 * blue);
    const z = bent((0.0193339 * red + 0.119192 * green + 0.9503041 * blue) / 1.08883);
    light.data[i] = 116 * y - 16;
    a.data[i] = 500 * (x - y);
    b.data[i] = 200 * (y - z);
  }
  return [light, a, b];
}

function bent(value: number): number {
  return value > 0.008856 ? Math.cbrt(value) : 7.787 * value + 16 / 116;
}
