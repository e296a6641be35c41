/** Validates lists of edits against their JSON Schema. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { editList, type Edit } from './edits.ts';

let validate: ValidateFunction | undefined;

/** Returns the list if it matches the schema, else null. */
export function asEdits(list: unknown): Edit[] | null {
  validate ??= new Ajv2020({ strict: false, logger: false, validateSchema: false }).compile(editList);
  return validate(list) ? (list as Edit[]) : null;
}
