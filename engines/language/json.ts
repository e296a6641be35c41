/** Finds the JSON in a model's answer and holds it to a schema: valid, or a failure. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { isPlainText } from '../../schemas/plain-text.ts';
import { EngineError } from '../contract/index.ts';

/** @returns compact JSON @throws EngineError `provider_rejected` when the answer is none, or breaks the schema */
export type ReadJson = (answer: string) => string;

/**
 * @param settle may shape what was read before it is checked
 * @throws Error when the schema itself is not one
 */
export function jsonReader(schema: object, settle: (value: unknown) => unknown): ReadJson {
  // The schema is the product's own; formats that ajv does not know are annotations.
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

/** The whole answer, what a code fence holds, or the outermost braces, in this order. */
function find(answer: string): unknown {
  const fenced = /```[a-z]*\s*\n?([\s\S]*?)```/iu.exec(answer)?.[1];
  const braced = answer.slice(answer.indexOf('{'), answer.lastIndexOf('}') + 1);
  for (const text of [answer, fenced, braced]) {
    if (text === undefined) continue;
    try {
      return JSON.parse(text) as unknown;
    } catch {
      // The next reading may be JSON.
    }
  }
  throw new EngineError('provider_rejected', 'The language model answered with no valid JSON');
}
