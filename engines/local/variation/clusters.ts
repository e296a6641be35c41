/** Finds the main colours of a picture with k-means. */
import { lumaAt } from '../pixels/luma.ts';
import { inOpenCv } from '../pixels/opencv.ts';
import type { Colour } from '../sketch/colour.ts';
import { meansOf } from '../sketch/filters/means.ts';

/** Returns the number of each pixel's cluster and the mean colours of the clusters. */
export function clustersOf(rgb: Float32Array, count: number): { labels: Int32Array; means: Colour[] } {
  const size = rgb.length / 3;
  const features = new Float32Array(size * 4);
  for (let i = 0, p = 0; i < size; i++, p += 3) {
    const l = lumaAt(rgb, p);
    // Differences of brightness count less than differences of colour: one object has light and shade.
    features[i * 4] = 0.74 * l;
    for (let c = 0; c < 3; c++) features[i * 4 + c + 1] = rgb[p + c]! - l;
  }
  // Starts with clusters of equal size, ordered by brightness, so that no random choice is needed.
  const byLight = Uint32Array.from({ length: size }, (_, i) => i).sort((a, b) => features[a * 4]! - features[b * 4]!);
  const start = new Int32Array(size);
  for (const [rank, i] of byLight.entries()) start[i] = Math.floor((rank * count) / size);
  const labels = inOpenCv(({ cv, floats, empty }) => {
    const found = empty(size, 1, cv.CV_32SC1);
    found.data32S.set(start);
    const rounds = new cv.TermCriteria(cv.TermCriteria_COUNT, 8, 0);
    cv.kmeans(floats(features, 4, size), count, found, rounds, 1, cv.KMEANS_USE_INITIAL_LABELS, empty());
    return found.data32S.slice();
  });
  return { labels, means: Array.from({ length: count }, (_, k) => k).map(meansOf({ rgb }, labels)) };
}
