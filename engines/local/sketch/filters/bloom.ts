/** Light that spills over its edges. */
import { blur } from '../../pixels/blur.ts';

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
