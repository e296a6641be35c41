/** Errors for requests that rules cannot fulfil. They tell the client what to change. */
import { EngineError } from '../../contract/index.ts';

const remedy = 'Configure a language model with ATELIER_LANGUAGE_URL and ATELIER_LANGUAGE_MODEL.';

/** @param ability completes the sentence "The embedded language rules cannot …" */
export function cannot(ability: string): EngineError {
  return new EngineError('input_invalid', `The embedded language rules cannot ${ability}.`, {
    publicMessage: `The embedded language rules cannot ${ability}. ${remedy}`,
  });
}
