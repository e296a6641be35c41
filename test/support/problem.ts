/** Checks the shape of error responses. */
import { expect } from '@jest/globals';
import type { ErrorCode } from '../../schemas/errors.ts';
import { errors } from '../../schemas/errors.ts';

export interface FieldError {
  path: string;
  rule: string;
  message: string;
}

interface ServiceResponse {
  status: number;
  headers: Headers;
  body: unknown;
}

/** Returns the fields that the error names. */
export function expectProblem({ status, headers, body }: ServiceResponse, code: ErrorCode): FieldError[] {
  const { errors: fields, ...rest } = body as { errors?: FieldError[] };
  expect({ ...rest, httpStatus: status }).toEqual({
    status: errors[code].status,
    message: expect.stringMatching(/^[A-Z].*\.$/),
    code,
    requestId: headers.get('x-request-id'),
    httpStatus: errors[code].status,
  });
  expect(fields !== undefined).toBe(code === 'validation_failed');
  for (const field of fields ?? []) {
    expect(field).toEqual({ path: expect.any(String), rule: expect.any(String), message: expect.any(String) });
  }
  return fields ?? [];
}

/** Returns `path rule` of every field, sorted. */
export const rules = (fields: readonly FieldError[]): string[] =>
  fields.map(({ path, rule }) => `${path} ${rule}`).sort();
