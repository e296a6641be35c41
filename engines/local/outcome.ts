/** How a thread's work ends: errors lose their class between threads, so what an engine has classified travels as data. */
import type { ErrorCode } from '../../schemas/errors.ts';
import { EngineError } from '../engine.ts';

interface Refused {
  refusal: { code: ErrorCode; message: string; publicMessage: string | undefined };
}

export type Outcome<Result> = { result: Result } | Refused;

/** Inside the thread. What nobody has classified goes on as it is. */
export function refused(error: unknown): Refused {
  if (!(error instanceof EngineError)) throw error;
  const { code, message, publicMessage } = error;
  return { refusal: { code, message, publicMessage } };
}

/** Outside of it. @throws EngineError as the thread did */
export function resultOf<Result>(outcome: Outcome<Result>): Result {
  if ('result' in outcome) return outcome.result;
  const { code, message, publicMessage } = outcome.refusal;
  throw new EngineError(code, message, publicMessage === undefined ? {} : { publicMessage });
}
