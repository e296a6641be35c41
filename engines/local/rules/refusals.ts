/** Errors for requests that rules cannot fulfil. They tell the client what to change. */
import { EngineError } from '../../contract/index.ts';

const remedy = 'Simplify the request, or have the operator of this service configure a language model.';

/** @param ability completes the sentence "The embedded language rules cannot …" */
export function cannot(ability: string): EngineError {
  return new EngineError('input_invalid', `The embedded language rules cannot ${ability}.`, {
    publicMessage: `The embedded language rules cannot ${ability}. ${remedy}`,
  });
}
