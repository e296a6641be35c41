/** The one shape of every error answer. */
import { expect } from '@jest/globals';
import type { ErrorCode } from '../../schemas/errors.ts';
import { errors } from '../../schemas/errors.ts';

export interface FieldError {
  path: string;
  rule: string;
  message: string;
}

interface Answer {
  status: number;
  headers: Headers;
  body: unknown;
}

/** @returns the fields to change; empty where the error names none */
export function expectProblem({ status, headers, body }: Answer, code: ErrorCode): FieldError[] {
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

/** `path rule` of every field, sorted. */
export const rules = (fields: readonly FieldError[]): string[] =>
  fields.map(({ path, rule }) => `${path} ${rule}`).sort();
