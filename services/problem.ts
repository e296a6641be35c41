/** The error that ends a request: a code of the error table, and what a client can change. */
import { type ErrorCode, errors } from '../schemas/errors.ts';

export interface FieldError {
  /** JSON pointer of the field; empty for the body as a whole. */
  path: string;
  rule: string;
  message: string;
}

/** Rejects a request. Over HTTP it becomes `{status, message, code, requestId}`, with `errors` when fields are at fault. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly code: ErrorCode;
  readonly fields: FieldError[] | undefined;
  readonly headers: Record<string, string>;

  constructor(
    code: ErrorCode,
    options: { message?: string; fields?: FieldError[]; headers?: Record<string, string>; cause?: unknown } = {},
  ) {
    super(options.message ?? errors[code].message, { cause: options.cause });
    this.code = code;
    this.fields = options.fields;
    this.headers = options.headers ?? {};
  }
}
