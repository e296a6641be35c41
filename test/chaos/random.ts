/** Random numbers that a seed determines, so that the faults and requests of a run can be repeated. */

export interface Random {
  /** Returns an integer from `least` to `most`. */
  between(least: number, most: number): number;
  /** Returns true in this share of all cases. @param share from 0 to 1 */
  chance(share: number): boolean;
  pick<T>(items: readonly T[]): T;
  /** Returns lowercase hexadecimal digits. */
  hex(digits: number): string;
}

/** The generator is mulberry32. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (least: number, most: number) => least + Math.floor(next() * (most - least + 1));
  return {
    between,
    chance: (share) => next() < share,
    pick<T>(items: readonly T[]): T {
      const item = items[between(0, items.length - 1)];
      if (item === undefined) throw new Error('There is nothing to pick from.');
      return item;
    },
    hex: (digits) => Array.from({ length: digits }, () => between(0, 15).toString(16)).join(''),
  };
}
