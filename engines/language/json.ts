/** Finds the JSON in a model's output and validates it against a schema. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { isPlainText } from '../../schemas/plain-text.ts';
import { EngineError } from '../contract/index.ts';

/** The error for an output that the call cannot use: no text, no JSON, or JSON that violates the schema. */
export class UnusableOutput extends EngineError {
  constructor(message: string) {
    super('provider_rejected', message);
  }
}

/** Returns compact JSON. Throws UnusableOutput when the output is not JSON or violates the schema. */
export type ReadJson = (output: string) => string;

/**
 * @param repair repairs a value before its validation
 * @throws Error when the schema itself is invalid
 */
export function jsonReader(schema: object, repair: (value: unknown) => unknown): ReadJson {
  const validate = compile(schema);
  return (output) => {
    const found = find(output);
    // First, because the functions below are recursive.
    if (!isShallow(found)) throw new UnusableOutput('The language model returned JSON with too many levels');
    const value = repair(found);
    if (!validate(value) || !isStorable(value)) {
      throw new UnusableOutput('The language model returned JSON that violates its schema');
    }
    return JSON.stringify(value);
  };
}

/** Created once, at first use, because compiling the meta-schema is slow; keeps no schema of a request. */
let ajv: Ajv2020 | undefined;

function compile(schema: object): ValidateFunction {
  // Formats that ajv does not know are annotations.
  ajv ??= new Ajv2020({ strict: false, validateFormats: false, logger: false, addUsedSchema: false });
  try {
    return ajv.compile(schema);
  } finally {
    ajv.removeSchema(schema);
  }
}

/** Maximum levels of nesting. */
const deepest = 64;

function isShallow(value: unknown, levels = deepest): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every((inner) => isShallow(inner, levels - 1));
}

function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return isPlainText(value);
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([name, inner]) => isStorable(name) && isStorable(inner));
}

/** Parses the whole output, the content of a code fence, or the outermost braces, in this order. */
function find(output: string): unknown {
  const braced = output.slice(output.indexOf('{'), output.lastIndexOf('}') + 1);
  for (const text of [output, insideFence(output), braced]) {
    if (text === undefined) continue;
    try {
      return JSON.parse(text) as unknown;
    } catch {
      // The next candidate may be JSON.
    }
  }
  throw new UnusableOutput('The language model returned no valid JSON');
}

const fence = '```';

/** Returns the content of the first code fence without the name of its language; undefined when there is none. */
function insideFence(output: string): string | undefined {
  // A pattern for both fences takes quadratic time when the second one is missing.
  const begin = output.indexOf(fence);
  const end = begin < 0 ? -1 : output.indexOf(fence, begin + fence.length);
  return end < 0 ? undefined : output.slice(begin + fence.length, end).replace(/^[a-z]+/iu, '');
}
