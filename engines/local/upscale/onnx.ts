/**
 * Writes ONNX models: as much of the format's protocol buffers as a convolutional network for images needs. The first
 * argument of `integer`, `text`, `bytes` and `message` is a field's number in `onnx.proto`.
 */

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

/** Numbers of the format's element types. */
export const elementTypes = { float: 1, byte: 2 } as const;

/**
 * Returns a file of opset 17. Its input `bytes` and its output `pixels` are RGB rows: `[1, height, width, 3]` bytes.
 * @param operators in an order in which they can be computed
 */
export function writeModel(constants: readonly Constant[], operators: readonly Operator[]): Uint8Array {
  const graph = [
    ...operators.map((operator) => message(1, operatorFields(operator))),
    text(2, 'network'),
    ...constants.map(({ name, shape, values }) => {
      const raw = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
      return message(5, [
        ...shape.map((size) => integer(1, size)),
        integer(2, elementTypes.float),
        text(8, name),
        bytes(9, raw),
      ]);
    }),
    message(11, portFields('bytes')),
    message(12, portFields('pixels')),
  ];
  return Buffer.concat([integer(1, 8), message(8, [text(1, ''), integer(2, 17)]), message(7, graph)]);
}

function operatorFields({ type, inputs, output, attributes = {} }: Operator): Uint8Array[] {
  return [
    ...inputs.map((name) => text(1, name)),
    text(2, output),
    text(4, type),
    ...Object.entries(attributes).map(([name, value]) => message(5, [text(1, name), ...attributeFields(value)])),
  ];
}

/** The last field is the number of the attribute's type. */
function attributeFields(value: number | string | readonly number[]): Uint8Array[] {
  if (typeof value === 'number') return [integer(3, value), integer(20, 2)];
  if (typeof value === 'string') return [text(4, value), integer(20, 3)];
  return [...value.map((item) => integer(8, item)), integer(20, 7)];
}

function portFields(name: string): Uint8Array[] {
  // An empty dimension allows any size.
  const shape = [[integer(1, 1)], [], [], [integer(1, 3)]].map((size) => message(1, size));
  return [text(1, name), message(2, [message(1, [integer(1, elementTypes.byte), message(2, shape)])])];
}

function varint(value: number): Uint8Array {
  const digits: number[] = [];
  for (; value > 127; value = Math.floor(value / 128)) digits.push((value % 128) + 128);
  return Uint8Array.of(...digits, value);
}

const integer = (field: number, value: number) => Buffer.concat([varint(field * 8), varint(value)]);
const bytes = (field: number, value: Uint8Array) => Buffer.concat([varint(field * 8 + 2), varint(value.length), value]);
const text = (field: number, value: string) => bytes(field, Buffer.from(value));
const message = (field: number, fields: readonly Uint8Array[]) => bytes(field, Buffer.concat(fields));
