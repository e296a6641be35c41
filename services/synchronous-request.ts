/** Synchronous answers: the same durable way as an artwork, waited for, and forgotten a minute later. */
import { errors, isErrorCode } from '../schemas/errors.ts';
import type { Operation } from '../schemas/operation.ts';
import { findArtwork, findResults } from '../store/artworks.ts';
import { cancelArtwork } from '../store/cancel.ts';
import { accept, type Asking } from './create-artwork.ts';
import type { ServiceDependencies } from './dependencies.ts';
import { Problem } from './problem.ts';
import { untilEnded } from './wait.ts';

/**
 * @param gone aborts when the client has gone away
 * @throws Problem with the code that an artwork would show
 */
export async function answer(
  deps: ServiceDependencies,
  operation: Operation,
  asking: Asking,
  gone: AbortSignal,
): Promise<object | undefined> {
  const { id } = (await accept(deps, operation, asking)).artwork;
  const signal = AbortSignal.any([gone, deps.stopping]);
  // Of its end and of ours one comes first: an answer that nobody reads costs nothing.
  const artwork = (await untilEnded(deps, id, deps.config.answerTimeout, signal)) ?? (await endedBefore(deps, id));
  if (!artwork) {
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

/** Cancels an answer that nobody waits for any more. @returns it where it has ended before */
async function endedBefore(deps: ServiceDependencies, id: string) {
  const outcome = await cancelArtwork(deps, id);
  return outcome === 'CANCELED' ? null : findArtwork(deps.db, id);
}

function problemOf(code: string | null | undefined, message: string | null | undefined): Problem {
  const known = isErrorCode(code) ? code : 'internal_error';
  return new Problem(known, { message: message ?? errors[known].message });
}
