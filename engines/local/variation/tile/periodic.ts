/** Makes a picture seamless: its ends overlap, and a cut runs through the overlap where both look alike. */
import { type Canvas, createCanvas } from '../../sketch/canvas.ts';
import { blur } from '../../pixels/blur.ts';
import { smoothstep } from '../../pixels/range.ts';
import { inOpenCv } from '../../pixels/opencv.ts';

/** Share of a side that overlaps, and width of the blended cut as a share of the overlap. */
const overlap = 0.22;
const feather = 0.16;

/** Returns the length of side from which a seamless side of `size` pixels is cut. */
export function withOverlap(size: number): number {
  return size + Math.max(4, Math.round(size * overlap));
}

/** Returns a seamless picture of `width` × `height`, cut from a larger one. */
export function periodic(picture: Canvas, width: number, height: number): Canvas {
  const even = levelled(picture);
  const across = cut(even, picture.width, picture.height, width, false);
  const down = cut(turned(across, width, picture.height), picture.height, width, height, true);
  const out = createCanvas(width, height);
  out.rgb = turned(down, height, width);
  return out;
}

/** Removes slow changes of light and colour across the picture, which no cut could hide. */
function levelled({ rgb, width, height }: Canvas): Float32Array {
  const slow = blur(rgb, width, height, 3, Math.min(width, height) * 0.2);
  const mean = [0, 0, 0];
  for (let p = 0; p < rgb.length; p++) mean[p % 3]! += rgb[p]! / (width * height);
  const out = new Float32Array(rgb.length);
  for (let p = 0; p < rgb.length; p++) out[p] = rgb[p]! + (mean[p % 3]! - slow[p]!) * 0.6;
  return out;
}

function turned(rgb: Float32Array, width: number, height: number): Float32Array {
  return inOpenCv(({ cv, floats, empty }) => {
    const to = empty();
    cv.transpose(floats(rgb, width, height, 3), to);
    return to.data32F.slice();
  });
}

/** Shortens rows to `to` pixels so that their ends join. `closed` also joins the ends of the cut. */
function cut(rgb: Float32Array, width: number, height: number, to: number, closed: boolean): Float32Array {
  const m = width - to;
  const path = seam(rgb, width, height, m, closed);
  const soft = Math.max(1, m * feather);
  const out = new Float32Array(to * height * 3);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < to; x++) {
      const own = x < m ? smoothstep(-soft, soft, x - path[y]!) : 1;
      for (let c = 0; c < 3; c++) {
        const a = rgb[(y * width + x) * 3 + c]!;
        const b = own < 1 ? rgb[(y * width + x + to) * 3 + c]! : a;
        out[(y * to + x) * 3 + c] = b + (a - b) * own;
      }
    }
  return out;
}

/** Returns the column of the cut in each row of the overlap, which is `m` pixels wide: the path of least difference. */
function seam(rgb: Float32Array, width: number, height: number, m: number, closed: boolean): Int32Array {
  const to = width - m;
  const cost = new Float32Array(m * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < m; x++)
      for (let c = 0; c < 3; c++)
        cost[y * m + x]! += (rgb[(y * width + x) * 3 + c]! - rgb[(y * width + x + to) * 3 + c]!) ** 2;
  const first = trace(cost, m, height, null);
  return closed ? trace(cost, m, height, first[0]!) : first;
}

/** Finds the path of least cost by dynamic programming. @param ends column of both ends of the path, or null */
function trace(cost: Float32Array, m: number, height: number, ends: number | null): Int32Array {
  const margin = Math.min(Math.floor(m / 2) - 1, Math.ceil(m * feather) + 1);
  const sums = cost.slice();
  const open = (x: number, y: number): boolean =>
    x >= margin && x < m - margin && (ends === null || Math.abs(x - ends) <= Math.min(y, height - 1 - y));
  for (let x = 0; x < m; x++) if (!open(x, 0)) sums[x] = Infinity;
  for (let y = 1; y < height; y++)
    for (let x = 0; x < m; x++) {
      const up = (y - 1) * m + x;
      const least = Math.min(sums[up]!, x > 0 ? sums[up - 1]! : Infinity, x + 1 < m ? sums[up + 1]! : Infinity);
      sums[y * m + x] = open(x, y) ? sums[y * m + x]! + least : Infinity;
    }
  const path = new Int32Array(height);
  for (let y = height - 1, from = 0, until = m - 1; y >= 0; y--) {
    let at = (from + until) >> 1;
    for (let x = from; x <= until; x++) if (sums[y * m + x]! < sums[y * m + at]!) at = x;
    path[y] = at;
    [from, until] = [Math.max(0, at - 1), Math.min(m - 1, at + 1)];
  }
  return path;
}
