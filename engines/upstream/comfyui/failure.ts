/** What went wrong with a ComfyUI, by our table. Nothing of what it said: tracebacks hold prompts and paths. */
import { EngineError } from '../../contract/index.ts';
import { answered, type Failure, failureOf, type HttpAnswer, unanswered, unforeseen } from '../failures.ts';
import { TemplateError } from './template.ts';

export class ComfyuiError extends Error {
  override readonly name = 'ComfyuiError';
  /** Undefined where the status says it. */
  readonly failure: Failure | undefined;
  readonly answer: HttpAnswer | undefined;

  constructor(failure: Failure | undefined, answer?: HttpAnswer) {
    super(failure ?? 'answered');
    this.failure = failure;
    this.answer = answer;
  }
}

/** @param who the engine's name */
export function explain(who: string, error: unknown): EngineError {
  if (error instanceof EngineError) return error;
  if (error instanceof ComfyuiError) {
    const { answer, failure = 'unreadable' } = error;
    return answer ? answered(who, answer, error.failure) : failureOf(who, failure);
  }
  // Trying again does not mend a file.
  if (error instanceof TemplateError) {
    return new EngineError('internal_error', `${who}: ${error.message}`, { isFinal: true });
  }
  return unanswered(who, error) ?? unforeseen(error);
}
