/** Grows regions of an image from pixel to pixel. */

/**
 * Visits the pixels that horizontal and vertical steps reach from the seeds, nearest first.
 * @param joins returns whether a new pixel belongs to the region, given the neighbour it is reached from
 * @returns 1 for each pixel of the region, 0 for the others
 */
export function flood(
  width: number,
  height: number,
  seeds: Iterable<number>,
  joins: (to: number, from: number) => boolean,
): Uint8Array {
  const reached = new Uint8Array(width * height);
  const queue = [...seeds];
  for (const seed of queue) reached[seed] = 1;
  const step = (to: number, from: number) => {
    if (reached[to] || !joins(to, from)) return;
    reached[to] = 1;
    queue.push(to);
  };
  for (let n = 0; n < queue.length; n++) {
    const i = queue[n]!;
    const x = i % width;
    if (x > 0) step(i - 1, i);
    if (x < width - 1) step(i + 1, i);
    if (i >= width) step(i - width, i);
    if (i + width < reached.length) step(i + width, i);
  }
  return reached;
}
