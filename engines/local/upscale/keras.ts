/** Translates a Keras network, as TensorFlow.js stores it, into ONNX operators. */
import type { Constant, Operator } from './onnx.ts';
import { enlargement, type Interpolation, type Kernel } from './polyphase.ts';

/** As much of `model.json` as networks for images need. */
export interface KerasModel {
  modelTopology: { model_config: { config: { layers: Layer[] } } };
  weightsManifest: { paths: string[]; weights: { name: string; shape: number[] }[] }[];
}

interface Layer {
  class_name: string;
  name: string;
  config: { kernel_size?: number[]; activation?: string; size?: number[]; beta?: number; scale?: number };
  inbound_nodes: [name: string, ...unknown[]][][];
}

/** A part of a graph with one tensor in and one out, `[1, channels, height, width]` both. */
export interface Section {
  input: string;
  output: string;
  constants: Constant[];
  operators: Operator[];
}

/**
 * @param weights the contents of the manifest's files, one after the other
 * @param interpolation of upsampling layers: `nearest` as the network has learned it, or a smoother one
 */
export function translate(model: KerasModel, weights: Uint8Array, interpolation: Interpolation): Section {
  const { layers } = model.modelTopology.model_config.config;
  const weight = readWeights(model, weights);
  const section: Section = { input: layers[0]!.name, output: layers.at(-1)!.name, constants: [], operators: [] };
  const upsampling = new Map(layers.filter(isUpsampling).map((layer) => [layer.name, layer]));
  for (const layer of layers) {
    if (layer.class_name === 'InputLayer' || isUpsampling(layer)) continue;
    const inputs = layer.inbound_nodes[0]!.map(([from]) => from);
    if (layer.class_name !== 'Conv2D') {
      if (layer.class_name === 'MultiplyBeta') section.constants.push(beta(layer));
      section.operators.push(operator(layer, inputs));
      continue;
    }
    if (layer.config.activation !== 'linear') throw new Error(`${layer.name} has an activation of its own`);
    const kernel = transpose(weight(`${layer.name}/kernel`));
    const bias = weight(`${layer.name}/bias`);
    const upsampled = upsampling.get(inputs[0]!);
    const { constants, operators } = upsampled
      ? enlargement(
          { input: upsampled.inbound_nodes[0]![0]![0], output: layer.name },
          interpolation,
          upsampled.config.size![0]!,
          kernel,
          bias.values,
        )
      : convolution({ input: inputs[0]!, output: layer.name }, kernel, bias);
    section.constants.push(...constants);
    section.operators.push(...operators);
  }
  return section;
}

const isUpsampling = (layer: Layer): boolean => layer.class_name === 'UpSampling2D';

const beta = ({ name, config }: Layer): Constant => ({
  name: `${name}/beta`,
  shape: [],
  values: Float32Array.of(config.beta!),
});

function convolution({ input, output }: { input: string; output: string }, kernel: Kernel, bias: Constant) {
  const pad = (kernel.shape[2] - 1) / 2;
  const inputs = [input, `${output}/kernel`, bias.name];
  const operators: Operator[] = [{ type: 'Conv', inputs, output, attributes: { pads: [pad, pad, pad, pad] } }];
  return { constants: [{ name: inputs[1]!, ...kernel }, bias], operators };
}

function operator({ class_name, name, config }: Layer, inputs: string[]): Operator {
  switch (class_name) {
    case 'Activation':
      if (config.activation !== 'relu') throw new Error(`${name} is no rectifier`);
      return { type: 'Relu', inputs, output: name };
    case 'Concatenate':
      return { type: 'Concat', inputs, output: name, attributes: { axis: 1 } };
    case 'Add':
      return { type: 'Sum', inputs, output: name };
    case 'MultiplyBeta':
      return { type: 'Mul', inputs: [...inputs, `${name}/beta`], output: name };
    case 'PixelShuffle2x':
    case 'PixelShuffle4x':
      return { type: 'DepthToSpace', inputs, output: name, attributes: { blocksize: config.scale!, mode: 'DCR' } };
    default:
      throw new Error(`Layer ${name} is a ${class_name}, which we cannot translate`);
  }
}

/** Keras keeps kernels as [down, across, from, to]. */
function transpose({ shape, values }: Constant): Kernel {
  const [rows, columns, from, to] = shape as [number, number, number, number];
  const turned = new Float32Array(values.length);
  const area = rows * columns;
  for (let cell = 0, at = 0; cell < area; cell++) {
    for (let i = 0; i < from; i++) {
      for (let o = 0; o < to; o++, at++) turned[(o * from + i) * area + cell] = values[at]!;
    }
  }
  return { shape: [to, from, rows, columns], values: turned };
}

function readWeights({ weightsManifest }: KerasModel, weights: Uint8Array): (name: string) => Constant {
  const found = new Map<string, Constant>();
  const all = new Float32Array(new Uint8Array(weights).buffer);
  let at = 0;
  for (const { name, shape } of weightsManifest.flatMap((group) => group.weights)) {
    const size = shape.reduce((product, side) => product * side, 1);
    found.set(name, { name, shape, values: all.subarray(at, (at += size)) });
  }
  if (at !== all.length) throw new Error(`The weights have ${all.length} numbers, the network ${at}`);
  return (name) => {
    const constant = found.get(name);
    if (!constant) throw new Error(`The network has no weights ${name}`);
    return constant;
  };
}
