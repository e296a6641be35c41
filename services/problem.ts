/** The error that ends a request: a code from the error table, and the fields that the client should change. */
import { type ErrorCode, errors } from '../schemas/errors.ts';
import type { ExceededLimit } from '../schemas/limits.ts';

export interface FieldError {
  /** JSON pointer of the field; empty for the whole body. */
  path: string;
  rule: string;
  message: string;
}

interface ProblemOptions {
  message?: string;
  fields?: FieldError[];
  headers?: Record<string, string>;
  limit?: ExceededLimit;
  cause?: unknown;
}

/** Rejects a request. Over HTTP it becomes `{status, message, code, requestId}`, with `errors` when fields are wrong. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly code: ErrorCode;
  readonly fields: FieldError[] | undefined;
  readonly headers: Record<string, string>;
  /** The limit that the request exceeds, for the metrics. */
  readonly limit: ExceededLimit | undefined;

  constructor(code: ErrorCode, options: ProblemOptions = {}) {
    super(options.message ?? errors[code].message, { cause: options.cause });
    this.code = code;
    this.fields = options.fields;
    this.headers = options.headers ?? {};
    this.limit = options.limit;
  }
}

/** Returns whether Temporal, PostgreSQL or object storage could not be reached. */
export const isUnavailable = (error: unknown): error is Problem =>
  error instanceof Problem && error.code === 'unavailable';

/** Maximum failures in a response, so that a hostile body cannot cause a response larger than itself. */
const maxFailures = 100;

/** Returns the error of a request of which one part is wrong. */
export const invalidRequest = (failure: FieldError) => new Problem('validation_failed', { fields: [failure] });

/** @throws Problem `validation_failed` when anything has failed */
export function rejectFailures(failures: readonly FieldError[]): void {
  if (failures.length > 0) throw new Problem('validation_failed', { fields: failures.slice(0, maxFailures) });
}
