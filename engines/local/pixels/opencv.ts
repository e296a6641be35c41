/**
 * OpenCV, compiled to WebAssembly. A thread loads it when it first imports this module: 0.4 s of CPU and 60 MB,
 * so that tasks that do not import it stay cheap.
 */
import { createRequire } from 'node:module';
import type { Size } from '../raster.ts';

/** A matrix in the memory of WebAssembly, which the garbage collector does not free. */
export interface Mat {
  readonly data: Uint8Array;
  readonly data32F: Float32Array;
  readonly data32S: Int32Array;
  delete(): void;
}

/** The functions of OpenCV that the embedded engines call. */
export interface OpenCv {
  Mat: new (rows?: number, columns?: number, type?: number) => Mat;
  Rect: new (x: number, y: number, width: number, height: number) => object;
  Size: new (width: number, height: number) => Size;
  Point: new (x: number, y: number) => object;
  Scalar: new (...values: number[]) => object;
  grabCut(image: Mat, mask: Mat, box: object, bg: Mat, fg: Mat, rounds: number, mode: number): void;
  setRNGSeed(seed: number): void;
  blur(from: Mat, to: Mat, size: Size, anchor: object, border: number): void;
  GaussianBlur(from: Mat, to: Mat, size: Size, sigmaX: number, sigmaY: number, border: number): void;
  bilateralFilter(from: Mat, to: Mat, size: number, colour: number, space: number, border: number): void;
  filter2D(from: Mat, to: Mat, depth: number, kernel: Mat, anchor: object, delta: number, border: number): void;
  resize(from: Mat, to: Mat, size: Size, fx: number, fy: number, interpolation: number): void;
  remap(from: Mat, to: Mat, x: Mat, y: Mat, interpolation: number, border: number): void;
  warpAffine(from: Mat, to: Mat, matrix: Mat, size: Size, mode: number, border: number, beyond?: object): void;
  copyMakeBorder(from: Mat, to: Mat, top: number, bottom: number, left: number, right: number, border: number): void;
  erode(from: Mat, to: Mat, kernel: Mat): void;
  dilate(from: Mat, to: Mat, kernel: Mat): void;
  cvtColor(from: Mat, to: Mat, code: number): void;
  threshold(from: Mat, to: Mat, value: number, most: number, kind: number): number;
  distanceTransform(from: Mat, to: Mat, kind: number, mask: number): void;
  connectedComponentsWithStats(mask: Mat, labels: Mat, stats: Mat, centroids: Mat, connectivity: number): number;
  convexHull(points: Mat, hull: Mat, clockwise: boolean, asPoints: boolean): void;
  fillConvexPoly(image: Mat, points: Mat, colour: object, line: number, shift: number): void;
  inpaint(from: Mat, mask: Mat, to: Mat, radius: number, method: number): void;
  transpose(from: Mat, to: Mat): void;
  TermCriteria: new (kind: number, rounds: number, epsilon: number) => object;
  kmeans(points: Mat, count: number, labels: Mat, end: object, attempts: number, flags: number, centres: Mat): number;
  eigen(symmetric: Mat, values: Mat, vectors: Mat): boolean;
  solve(left: Mat, right: Mat, result: Mat, method: number): boolean;
  exceptionFromPtr(pointer: number): { msg: string };
  readonly CV_8UC1: number;
  readonly CV_32FC1: number;
  readonly CV_32SC1: number;
  readonly CV_32SC2: number;
  readonly TermCriteria_COUNT: number;
  readonly KMEANS_USE_INITIAL_LABELS: number;
  readonly GC_INIT_WITH_MASK: number;
  readonly BORDER_REPLICATE: number;
  readonly BORDER_CONSTANT: number;
  readonly BORDER_REFLECT: number;
  readonly BORDER_WRAP: number;
  readonly BORDER_TRANSPARENT: number;
  readonly WARP_INVERSE_MAP: number;
  readonly INTER_NEAREST: number;
  readonly INTER_LINEAR: number;
  readonly INTER_CUBIC: number;
  readonly INTER_LANCZOS4: number;
  readonly INTER_AREA: number;
  readonly COLOR_RGB2Lab: number;
  readonly THRESH_OTSU: number;
  readonly DIST_L2: number;
  readonly DIST_MASK_PRECISE: number;
  readonly INPAINT_TELEA: number;
  readonly LINE_AA: number;
  readonly DECOMP_QR: number;
}

const { cv } = await load();

/** Loads the module, which is a thenable that never settles: an object wraps it, because nothing may await it. */
function load(): Promise<{ cv: OpenCv }> {
  const watched = ['uncaughtException', 'unhandledRejection'] as const;
  const before = new Map(watched.map((event) => [event, process.listeners(event as 'uncaughtException')]));
  const loading = createRequire(import.meta.url)('@techstark/opencv-js') as OpenCv & {
    onRuntimeInitialized: () => void;
  };
  // Removes the handlers of the module, which would abort the process on any error, including ours.
  for (const [event, known] of before) {
    for (const listener of process.listeners(event as 'uncaughtException')) {
      if (!known.includes(listener)) process.removeListener(event, listener);
    }
  }
  return new Promise((resolve) => {
    loading.onRuntimeInitialized = () => resolve({ cv: loading });
  });
}

/** Creates matrices that `inOpenCv` deletes. */
export interface Scope {
  cv: OpenCv;
  /** Creates a matrix for a result, empty unless it has a size and a type. */
  empty(rows?: number, columns?: number, type?: number): Mat;
  bytes(data: ArrayLike<number>, width: number, height: number, channels?: number): Mat;
  floats(data: ArrayLike<number>, width: number, height: number, channels?: number): Mat;
}

/** Runs OpenCV functions and deletes every matrix that the scope created. */
export function inOpenCv<Result>(work: (scope: Scope) => Result): Result {
  const mats: Mat[] = [];
  const own = (rows = 0, columns = 0, type = 0): Mat => {
    const mat = new cv.Mat(rows, columns, type);
    mats.push(mat);
    return mat;
  };
  // The lowest three bits are the depth, the bits above them the number of channels minus one.
  const typeOf = (depth: number, channels: number) => depth + ((channels - 1) << 3);
  try {
    return work({
      cv,
      empty: own,
      bytes(data, width, height, channels = 1) {
        const mat = own(height, width, typeOf(cv.CV_8UC1, channels));
        mat.data.set(data);
        return mat;
      },
      floats(data, width, height, channels = 1) {
        const mat = own(height, width, typeOf(cv.CV_32FC1, channels));
        mat.data32F.set(data);
        return mat;
      },
    });
  } catch (error) {
    if (typeof error === 'number') throw new Error(`OpenCV: ${cv.exceptionFromPtr(error).msg}`);
    throw error;
  } finally {
    for (const mat of mats) mat.delete();
  }
}
