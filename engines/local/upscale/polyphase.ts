/** Enlarging and filtering in one convolution of the small image: one kernel for each place within an enlarged pixel. */
import type { Constant, Operator } from './onnx.ts';

/** A convolution's kernel, in the order that ONNX wants. */
export interface Kernel {
  /** [to, from, down, across] */
  shape: readonly [number, number, number, number];
  values: Float32Array;
}

export type Interpolation = 'nearest' | 'linear' | 'cubic';

/** How much a pixel `distance` away counts. */
const weights: Record<Interpolation, (distance: number) => number> = {
  nearest: (t) => (t > -0.5 && t <= 0.5 ? 1 : 0),
  linear: (t) => Math.max(0, 1 - Math.abs(t)),
  cubic: (t) => {
    const d = Math.abs(t);
    if (d < 1) return 1.5 * d * d * d - 2.5 * d * d + 1;
    return d < 2 ? -0.5 * d * d * d + 2.5 * d * d - 4 * d + 2 : 0;
  },
};

/** Leaves every channel as it is. */
export function identity(channels: number): Kernel {
  const values = new Float32Array(channels * channels);
  for (let c = 0; c < channels; c++) values[c * channels + c] = 1;
  return { shape: [channels, channels, 1, 1], values };
}

/** As if the image were first enlarged by interpolation, then convolved with the kernel. */
export function enlargement(
  { input, output }: { input: string; output: string },
  interpolation: Interpolation,
  scale: number,
  kernel: Kernel,
  bias: Float32Array,
): { constants: Constant[]; operators: Operator[] } {
  const [to, from, side] = kernel.shape;
  const reach = interpolation === 'cubic' ? 2 : 1;
  const window = 2 * reach + 1;
  const taps = Array.from({ length: scale }, (_, phase) => tapsOf(interpolation, scale, phase, side, reach));
  const values = new Float32Array(scale * scale * to * from * window * window);
  let at = 0;
  for (const down of taps) {
    for (const across of taps) {
      for (let filter = 0; filter < to * from; filter++) {
        for (const row of down) {
          for (const column of across) {
            let sum = 0;
            for (let k = 0; k < side * side; k++) {
              sum += kernel.values[filter * side * side + k]! * row[Math.floor(k / side)]! * column[k % side]!;
            }
            values[at++] = sum;
          }
        }
      }
    }
  }
  const biases = Float32Array.from({ length: scale * scale * to }, (_, k) => bias[k % to]!);
  const terms = [input, `${output}/kernel`, `${output}/bias`];
  return {
    constants: [
      { name: terms[1]!, shape: [scale * scale * to, from, window, window], values },
      { name: terms[2]!, shape: [biases.length], values: biases },
    ],
    operators: [
      { type: 'Conv', inputs: terms, output: `${output}/phases`, attributes: { pads: [reach, reach, reach, reach] } },
      {
        type: 'DepthToSpace',
        inputs: [`${output}/phases`],
        output,
        attributes: { blocksize: scale, mode: 'DCR' },
      },
    ],
  };
}

/** For a pixel of the window and an element of the kernel, how much the one counts for the other. */
function tapsOf(interpolation: Interpolation, scale: number, phase: number, side: number, reach: number): number[][] {
  return Array.from({ length: 2 * reach + 1 }, (_, pixel) =>
    Array.from({ length: side }, (_, element) => {
      const fine = phase + element - (side - 1) / 2;
      return weights[interpolation]((fine + 0.5) / scale - 0.5 - (pixel - reach));
    }),
  );
}
