/** Classifies errors of a ComfyUI server. Leaves out its texts, because tracebacks contain prompts and paths. */
import { EngineError } from '../../contract/index.ts';
import {
  connectionFailure,
  type Failure,
  failureOf,
  type HttpResponse,
  responseFailure,
  unexpectedFailure,
} from '../failures.ts';
import { TemplateError } from './template.ts';

export class ComfyuiError extends Error {
  override readonly name = 'ComfyuiError';
  /** Undefined when the response's status determines the failure. */
  readonly failure: Failure | undefined;
  readonly response: HttpResponse | undefined;

  constructor(failure: Failure | undefined, response?: HttpResponse) {
    super(failure ?? 'error response');
    this.failure = failure;
    this.response = response;
  }
}

/** @param who the engine's name */
export function explain(who: string, error: unknown): EngineError {
  if (error instanceof EngineError) return error;
  if (error instanceof ComfyuiError) {
    const { response, failure = 'unreadable' } = error;
    return response ? responseFailure(who, response, error.failure) : failureOf(who, failure);
  }
  // A retry does not correct a file.
  if (error instanceof TemplateError) {
    return new EngineError('internal_error', `${who}: ${error.message}`, { isFinal: true });
  }
  return connectionFailure(who, error) ?? unexpectedFailure(error);
}
