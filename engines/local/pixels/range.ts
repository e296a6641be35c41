/** Functions of one number: limits, bytes, ramps and wrapping. */

export function clamp(n: number, low = 0, high = 1): number {
  return n < low ? low : n > high ? high : n;
}

/** Rounds a number to a byte, 0–255. */
export function toByte(n: number): number {
  return n < 0 ? 0 : n > 255 ? 255 : Math.round(n);
}

/** Returns a value that rises linearly from 0 at `low` to 1 at `high`. */
export function ramp(low: number, high: number, n: number): number {
  return clamp((n - low) / (high - low));
}

/** Returns a value that rises from 0 at `low` to 1 at `high`, flat at both ends. */
export function smoothstep(low: number, high: number, n: number): number {
  const t = clamp((n - low) / (high - low));
  return t * t * (3 - 2 * t);
}

/** Returns the position in `0 … size − 1` on a picture whose opposite edges meet. */
export function wrap(n: number, size: number): number {
  return ((n % size) + size) % size;
}
