/** The outcome of a thread's work. Errors lose their class between threads, so an `EngineError` travels as data. */
import { EngineError, type ErrorCode } from '../contract/index.ts';

interface Refused {
  refusal: { code: ErrorCode; message: string; publicMessage: string | undefined };
}

export type Outcome<Result> = { result: Result } | Refused;

/** Converts an `EngineError` to data, inside the thread. Rethrows all other errors. */
export function refused(error: unknown): Refused {
  if (!(error instanceof EngineError)) throw error;
  const { code, message, publicMessage } = error;
  return { refusal: { code, message, publicMessage } };
}

/** Returns the result, outside the thread. @throws the `EngineError` of the thread */
export function resultOf<Result>(outcome: Outcome<Result>): Result {
  if ('result' in outcome) return outcome.result;
  const { code, message, publicMessage } = outcome.refusal;
  throw new EngineError(code, message, publicMessage === undefined ? {} : { publicMessage });
}
