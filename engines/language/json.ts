/** Finds the JSON in a model's output and validates it against a schema. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { isPlainText } from '../../schemas/plain-text.ts';
import { EngineError } from '../contract/index.ts';

/** Returns compact JSON. Throws EngineError `provider_rejected` when the output is not JSON or violates the schema. */
export type ReadJson = (answer: string) => string;

/**
 * @param settle repairs a value before its validation
 * @throws Error when the schema itself is invalid
 */
export function jsonReader(schema: object, settle: (value: unknown) => unknown): ReadJson {
  // Formats that ajv does not know are annotations.
  const validate = new Ajv2020({ strict: false, validateFormats: false, logger: false }).compile(schema);
  return (answer) => {
    const value = settle(find(answer));
    if (!validate(value) || !isStorable(value)) {
      throw new EngineError('provider_rejected', 'The language model answered with JSON that breaks its schema');
    }
    return JSON.stringify(value);
  };
}

function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return isPlainText(value);
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([name, inner]) => isStorable(name) && isStorable(inner));
}

/** Parses the whole output, the content of a code fence, or the outermost braces, in this order. */
function find(answer: string): unknown {
  const fenced = /```[a-z]*\s*\n?([\s\S]*?)```/iu.exec(answer)?.[1];
  const braced = answer.slice(answer.indexOf('{'), answer.lastIndexOf('}') + 1);
  for (const text of [answer, fenced, braced]) {
    if (text === undefined) continue;
    try {
      return JSON.parse(text) as unknown;
    } catch {
      // The next candidate may be JSON.
    }
  }
  throw new EngineError('provider_rejected', 'The language model answered with no valid JSON');
}
