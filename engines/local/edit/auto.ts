/** Chooses the edits for an unspecific "enhance", from the picture's own light. */
import type { Raster } from '../raster.ts';
import type { GradeEdit } from './edits.ts';
import { oklab } from '../oklab.ts';
import { clamp } from '../pixels/range.ts';

export function improvements({ data }: Raster): GradeEdit[] {
  const step = Math.max(1, Math.floor(data.length / 4 / 60_000)) * 4;
  const lights: number[] = [];
  let [aSum, bSum] = [0, 0];
  for (let i = 0; i < data.length; i += step) {
    const [L, a, b] = oklab([data[i]! / 255, data[i + 1]! / 255, data[i + 2]! / 255]);
    lights.push(L);
    // Pale colours show the colour of the light, strong ones that of objects.
    if (Math.hypot(a, b) < 0.08) [aSum, bSum] = [aSum + a, bSum + b];
  }
  lights.sort((x, y) => x - y);
  const at = (share: number): number => lights[Math.floor((lights.length - 1) * share)] ?? 0.5;
  const spread = at(0.95) - at(0.05);
  return [
    { kind: 'temperature', amount: clamp((-bSum / lights.length) * 4, -0.25, 0.25) },
    { kind: 'exposure', stops: clamp((0.62 - at(0.5)) * 2, -0.6, 0.6) },
    { kind: 'shadows', amount: clamp((0.3 - at(0.1)) * 1.2, 0, 0.35) },
    { kind: 'contrast', amount: clamp((0.75 - spread) * 0.9, 0.06, 0.3) },
    { kind: 'saturation', factor: 1.14 },
  ];
}
