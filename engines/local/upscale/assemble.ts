/** Wraps a network so that it takes and returns bytes, and corrects its colours. */
import type { Section } from './keras.ts';
import { type Constant, type Operator, writeModel } from './onnx.ts';
import { enlargement, identity } from './polyphase.ts';

/**
 * The model takes and gives RGB rows as `[1, height, width, 3]` bytes.
 * @param range what the network itself calls white
 */
export function assemble(network: Section, scale: 2 | 4, range: 1 | 255): Uint8Array {
  const correction = backProjection(network.input, network.output, scale);
  const constants: Constant[] = [
    scalar('unit', range / 255),
    scalar('steps', 255 / range),
    scalar('lowest', 0),
    scalar('highest', 255),
    ...network.constants,
    ...correction.constants,
  ];
  const operators: Operator[] = [
    { type: 'Transpose', inputs: ['bytes'], output: 'planes', attributes: { perm: [0, 3, 1, 2] } },
    { type: 'Cast', inputs: ['planes'], output: 'numbers', attributes: { to: 1 } },
    { type: 'Mul', inputs: ['numbers', 'unit'], output: network.input },
    ...network.operators,
    ...correction.operators,
    { type: 'Mul', inputs: ['corrected', 'steps'], output: 'levels' },
    { type: 'Clip', inputs: ['levels', 'lowest', 'highest'], output: 'clipped' },
    { type: 'Round', inputs: ['clipped'], output: 'rounded' },
    { type: 'Cast', inputs: ['rounded'], output: 'integers', attributes: { to: 2 } },
    { type: 'Transpose', inputs: ['integers'], output: 'pixels', attributes: { perm: [0, 2, 3, 1] } },
  ];
  const shape = [1, null, null, 3];
  return writeModel({
    input: { name: 'bytes', type: 'uint8', shape },
    output: { name: 'pixels', type: 'uint8', shape },
    constants,
    operators,
  });
}

const scalar = (name: string, value: number): Constant => ({ name, shape: [], values: Float32Array.of(value) });

/**
 * Adds the difference between the image and the reduced result to the result (one step of iterative back-projection).
 * This reverts the networks' colour shift of up to 2 % and gains more than 1 dB.
 */
function backProjection(image: string, enlarged: string, scale: number) {
  const pooling = { kernel_shape: [scale, scale], strides: [scale, scale] };
  const spread = enlargement({ input: 'lack', output: 'addition' }, 'cubic', scale, identity(3), new Float32Array(3));
  const operators: Operator[] = [
    { type: 'AveragePool', inputs: [enlarged], output: 'reduced', attributes: pooling },
    { type: 'Sub', inputs: [image, 'reduced'], output: 'lack' },
    ...spread.operators,
    { type: 'Add', inputs: [enlarged, 'addition'], output: 'corrected' },
  ];
  return { constants: spread.constants, operators };
}
