/** Writes ONNX models: as much of the format's protocol buffers as a convolutional network needs. */

/** A tensor's numbers, known when the model is written. */
export interface Constant {
  name: string;
  shape: readonly number[];
  values: Float32Array;
}

export interface Operator {
  type: string;
  inputs: readonly string[];
  output: string;
  attributes?: Readonly<Record<string, number | string | readonly number[]>>;
}

/** A number that is null may be any. */
export interface Port {
  name: string;
  type: keyof typeof elementTypes;
  shape: readonly (number | null)[];
}

export interface Graph {
  input: Port;
  output: Port;
  constants: readonly Constant[];
  /** In an order in which they can be computed. */
  operators: readonly Operator[];
}

export const elementTypes = { float: 1, uint8: 2 } as const;
const attributeTypes = { int: 2, string: 3, ints: 7 } as const;

type Field = Uint8Array;

/** The file, of opset 17. */
export function writeModel({ input, output, constants, operators }: Graph): Uint8Array {
  const graph = [
    ...operators.map((operator) => message(1, operatorFields(operator))),
    text(2, 'network'),
    ...constants.map((constant) => message(5, constantFields(constant))),
    message(11, portFields(input)),
    message(12, portFields(output)),
  ];
  return Buffer.concat([integer(1, 8), message(8, [text(1, ''), integer(2, 17)]), message(7, graph)]);
}

function operatorFields({ type, inputs, output, attributes = {} }: Operator): Field[] {
  return [
    ...inputs.map((name) => text(1, name)),
    text(2, output),
    text(4, type),
    ...Object.entries(attributes).map(([name, value]) => message(5, [text(1, name), ...attributeFields(value)])),
  ];
}

function attributeFields(value: number | string | readonly number[]): Field[] {
  if (typeof value === 'number') return [integer(3, value), integer(20, attributeTypes.int)];
  if (typeof value === 'string') return [text(4, value), integer(20, attributeTypes.string)];
  return [...value.map((item) => integer(8, item)), integer(20, attributeTypes.ints)];
}

function constantFields({ name, shape, values }: Constant): Field[] {
  const raw = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
  return [...shape.map((size) => integer(1, size)), integer(2, elementTypes.float), text(8, name), bytes(9, raw)];
}

function portFields({ name, type, shape }: Port): Field[] {
  const sizes = shape.map((size) => message(1, size === null ? [] : [integer(1, size)]));
  const tensor = [integer(1, elementTypes[type]), message(2, sizes)];
  return [text(1, name), message(2, [message(1, tensor)])];
}

function varint(value: number): Field {
  const digits: number[] = [];
  for (; value > 127; value = Math.floor(value / 128)) digits.push((value % 128) + 128);
  return Uint8Array.of(...digits, value);
}

const integer = (field: number, value: number): Field => Buffer.concat([varint(field * 8), varint(value)]);
const bytes = (field: number, value: Uint8Array): Field =>
  Buffer.concat([varint(field * 8 + 2), varint(value.length), value]);
const text = (field: number, value: string): Field => bytes(field, Buffer.from(value));
const message = (field: number, fields: readonly Field[]): Field => bytes(field, Buffer.concat(fields));
