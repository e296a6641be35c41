/** RGB, 0–1, as brightness and two differences of colour, and back. In place. */
import { lumaAt } from '../pixels/luma.ts';

export function toLuma(colour: Float32Array | Float64Array): void {
  const [r, b] = [colour[0]!, colour[2]!];
  const y = lumaAt(colour, 0);
  colour[0] = y;
  colour[1] = (b - y) * 0.564;
  colour[2] = (r - y) * 0.713;
}

export function toRgb(colour: Float32Array | Float64Array): void {
  const y = colour[0]!;
  const [r, b] = [y + colour[2]! / 0.713, y + colour[1]! / 0.564];
  colour[0] = r;
  colour[1] = (y - 0.299 * r - 0.114 * b) / 0.587;
  colour[2] = b;
}
