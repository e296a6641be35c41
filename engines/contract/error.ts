/** The error that an engine throws for every failure that it can classify. */
import type { ErrorCode } from '../../schemas/errors.ts';

interface ErrorOptions {
  cause?: unknown;
  publicMessage?: string;
  retryAfter?: number;
  isFinal?: boolean;
  isPostponed?: boolean;
  holdsJob?: boolean;
}

/**
 * A classified failure of an engine. `message` is for operators and holds no prompt, address or key. Clients read the
 * message of `code` in `schemas/errors.ts`, or `publicMessage`.
 */
export class EngineError extends Error {
  override readonly name = 'EngineError';
  readonly code: ErrorCode;
  /** Message for the client in place of the one for `code`; contains only our own words and those of the request. */
  readonly publicMessage: string | undefined;
  /** Milliseconds that the provider asks us to wait before the next attempt. */
  readonly retryAfter: number | undefined;
  /** Whether the call must not be retried, even if its code allows retries. */
  readonly isFinal: boolean;
  /** Whether the workflow retries the call later, in another activity. */
  readonly isPostponed: boolean;
  /** Whether the provider still holds a job of the call, so that calling another provider would pay twice. */
  readonly holdsJob: boolean;

  constructor(code: ErrorCode, message: string, options: ErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.code = code;
    this.publicMessage = options.publicMessage;
    this.retryAfter = options.retryAfter;
    this.isFinal = options.isFinal ?? false;
    this.isPostponed = options.isPostponed ?? false;
    this.holdsJob = options.holdsJob ?? false;
  }

  /** Returns a copy with the given changes. */
  with(changes: Pick<ErrorOptions, 'publicMessage' | 'isFinal' | 'isPostponed' | 'holdsJob'>): EngineError {
    const { code, message, cause, publicMessage, retryAfter, isFinal, isPostponed, holdsJob } = this;
    const optional = {
      ...(publicMessage !== undefined && { publicMessage }),
      ...(retryAfter !== undefined && { retryAfter }),
    };
    return new EngineError(code, message, { cause, ...optional, isFinal, isPostponed, holdsJob, ...changes });
  }
}
