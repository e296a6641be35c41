/** Blurs: three box passes come close to a Gauss. Borders are either held or wrapped. */

function pass(
  from: Float32Array,
  to: Float32Array,
  width: number,
  height: number,
  channels: number,
  radius: number,
  wrap: boolean,
): void {
  const norm = 1 / (2 * radius + 1);
  const row = width * channels;
  const index = (x: number): number => (wrap ? ((x % width) + width) % width : x < 0 ? 0 : x >= width ? width - 1 : x);
  for (let y = 0; y < height; y++)
    for (let c = 0; c < channels; c++) {
      let sum = 0;
      for (let x = -radius; x <= radius; x++) sum += from[y * row + index(x) * channels + c]!;
      for (let x = 0; x < width; x++) {
        // The transpose, so that the next pass runs along rows again.
        to[(x * height + y) * channels + c] = sum * norm;
        sum +=
          from[y * row + index(x + radius + 1) * channels + c]! - from[y * row + index(x - radius) * channels + c]!;
      }
    }
}

export function blur(
  source: Float32Array,
  width: number,
  height: number,
  channels: number,
  sigma: number,
  wrap = false,
): Float32Array {
  const radius = Math.max(1, Math.round(sigma * 0.97));
  let a = source.slice();
  let b = new Float32Array(source.length);
  for (let i = 0; i < 2; i++) {
    pass(a, b, width, height, channels, radius, wrap);
    pass(b, a, height, width, channels, radius, wrap);
  }
  [a, b] = [b, a];
  return b;
}

/** Half the size, by mean. */
function halve(rgb: Float32Array, width: number, height: number): { rgb: Float32Array; width: number; height: number } {
  const [w, h] = [width >> 1, height >> 1];
  const out = new Float32Array(w * h * 3);
  for (let y = 0; y < h; y++)
    for (let x = 0; x < w; x++)
      for (let c = 0; c < 3; c++) {
        const p = (y * 2 * width + x * 2) * 3 + c;
        out[(y * w + x) * 3 + c] = (rgb[p]! + rgb[p + 3]! + rgb[p + width * 3]! + rgb[p + width * 3 + 3]!) * 0.25;
      }
  return { rgb: out, width: w, height: h };
}

/** Light that spills over its edges; worked at half size, where nobody sees the difference. */
export function bloom(
  rgb: Float32Array,
  width: number,
  height: number,
  sigma: number,
  threshold: number,
  strength: number,
): void {
  const small = halve(rgb, width, height);
  for (let i = 0; i < small.rgb.length; i++) small.rgb[i] = Math.max(0, small.rgb[i]! - threshold);
  const glow = blur(small.rgb, small.width, small.height, 3, Math.max(1, sigma / 2));
  for (let y = 0; y < height; y++) {
    const sy = Math.min(small.height - 1, y >> 1);
    for (let x = 0; x < width; x++) {
      const s = (sy * small.width + Math.min(small.width - 1, x >> 1)) * 3;
      const p = (y * width + x) * 3;
      for (let c = 0; c < 3; c++) rgb[p + c] = rgb[p + c]! + glow[s + c]! * strength;
    }
  }
}
