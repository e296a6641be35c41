/** RGB, 0–1, as brightness and two differences of colour, and back. In place. */

export function toLuma(colour: Float64Array): void {
  const [r, g, b] = colour as unknown as [number, number, number];
  const y = 0.299 * r + 0.587 * g + 0.114 * b;
  colour[0] = y;
  colour[1] = (b - y) * 0.564;
  colour[2] = (r - y) * 0.713;
}

export function toRgb(colour: Float64Array): void {
  const [y, cb, cr] = colour as unknown as [number, number, number];
  const [r, b] = [y + cr / 0.713, y + cb / 0.564];
  colour[0] = r;
  colour[1] = (y - 0.299 * r - 0.114 * b) / 0.587;
  colour[2] = b;
}
