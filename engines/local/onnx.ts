/** How ONNX networks run in each thread of the pool. */
import type { InferenceSession } from 'onnxruntime-node';

export const sessionOptions: InferenceSession.SessionOptions = {
  // Each thread of the pool has a core; more threads inside it would wait for each other.
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  // The arena would keep the memory of the largest run.
  enableCpuMemArena: false,
};
