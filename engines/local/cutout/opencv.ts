/** OpenCV, compiled to WebAssembly: loaded once in each thread, when first needed. */
import { createRequire } from 'node:module';

/** Lives outside of the garbage collector's reach: whoever makes one deletes it. */
export interface Mat {
  readonly data: Uint8Array;
  delete(): void;
}

/** The little of OpenCV that is used here. */
export interface OpenCv {
  Mat: new () => Mat;
  Rect: new (x: number, y: number, width: number, height: number) => object;
  matFromArray(rows: number, columns: number, type: number, data: ArrayLike<number>): Mat;
  grabCut(image: Mat, mask: Mat, box: object, bg: Mat, fg: Mat, rounds: number, mode: number): void;
  setRNGSeed(seed: number): void;
  readonly CV_8UC1: number;
  readonly CV_8UC3: number;
  readonly GC_INIT_WITH_MASK: number;
}

/** The module is a thenable that never settles, so it travels in a box and is never awaited. */
interface Boxed {
  cv: OpenCv;
}

let loading: Promise<Boxed> | undefined;

export function opencv(): Promise<Boxed> {
  return (loading ??= load());
}

function load(): Promise<Boxed> {
  const watched = ['uncaughtException', 'unhandledRejection'] as const;
  const before = new Map(watched.map((event) => [event, process.listeners(event as 'uncaughtException')]));
  const cv = createRequire(import.meta.url)('@techstark/opencv-js') as OpenCv & { onRuntimeInitialized: () => void };
  // It installs handlers that abort on errors of others.
  for (const [event, known] of before) {
    for (const listener of process.listeners(event as 'uncaughtException')) {
      if (!known.includes(listener)) process.removeListener(event, listener);
    }
  }
  return new Promise((resolve) => {
    cv.onRuntimeInitialized = () => {
      resolve({ cv });
    };
  });
}
