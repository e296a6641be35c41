/** Synchronous answers: the same durable way as an artwork, waited for, and forgotten a minute later. */
import { errors, isErrorCode } from '../schemas/errors.ts';
import type { Operation } from '../schemas/operation.ts';
import { findResults } from '../store/artworks.ts';
import { accept, type Asking } from './accept.ts';
import type { Dependencies } from './dependencies.ts';
import { Problem } from './problem.ts';
import { untilEnded } from './wait.ts';

/**
 * @param gone aborts when the client has gone away
 * @throws Problem with the code that an artwork would show
 */
export async function answer(
  deps: Dependencies,
  operation: Operation,
  asking: Asking,
  gone: AbortSignal,
): Promise<object | undefined> {
  const { id } = (await accept(deps, operation, asking)).artwork;
  const artwork = await untilEnded(deps, id, deps.config.answerTimeout, AbortSignal.any([gone, deps.stopping]));
  if (!artwork) {
    // Nobody is left who could read it.
    await deps.temporal.workflow
      .getHandle(id)
      .cancel()
      .catch((err: unknown) => deps.log.warn({ err, artworkId: id }, 'an answer could not be canceled'));
    throw new Problem(deps.stopping.aborted ? 'unavailable' : 'provider_timeout');
  }
  if (artwork.status !== 'SUCCEEDED') throw problemOf(artwork.errorCode, artwork.errorMessage);
  const results = [...(await findResults(deps.db, id)).values()];
  const last = results.find(({ finishReason }) => finishReason);
  if (!last) throw new Error(`The answer ${id} was never written`);
  const written = {
    id,
    model: last.model,
    text: last.text ?? '',
    finishReason: last.finishReason ?? ('other' as const),
    usage: last.usage ?? { inputTokens: 0, outputTokens: 0 },
  };
  return operation.answer?.from(written, artwork.input);
}

function problemOf(code: string | null | undefined, message: string | null | undefined): Problem {
  const known = isErrorCode(code) ? code : 'internal_error';
  return new Problem(known, { message: message ?? errors[known].message });
}
