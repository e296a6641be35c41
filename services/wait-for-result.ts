/** Synchronous requests: created like an artwork, awaited by the client, and deleted a minute later. */
import { errors, isErrorCode } from '../schemas/errors.ts';
import type { Operation } from '../schemas/operation.ts';
import { findArtwork } from '../store/artworks.ts';
import { endAsCanceled } from '../store/end-artwork.ts';
import { findResults } from '../store/results.ts';
import type { ServiceDependencies } from './dependencies.ts';
import { Problem } from './problem.ts';
import { waitUntilEnded } from './wait-for-artwork.ts';

/**
 * Returns the result of a synchronous request.
 * @param id of the request's workflow and row
 * @param clientGone aborts when the client disconnects
 * @throws Problem with the code that an artwork would show
 */
export async function waitForResult(
  deps: ServiceDependencies,
  operation: Operation,
  id: string,
  clientGone: AbortSignal,
): Promise<object | undefined> {
  const signal = AbortSignal.any([clientGone, deps.stopping]);
  const ended = await waitUntilEnded(deps, id, deps.config.synchronousTimeout, signal);
  const row = ended ?? (await cancelUnlessEnded(deps, id));
  if (!row) {
    await deps.temporal.workflow
      .getHandle(id)
      .cancel()
      .catch((err: unknown) => deps.log.warn({ err, artworkId: id }, 'Could not cancel a synchronous request'));
    throw new Problem(deps.stopping.aborted ? 'unavailable' : 'provider_timeout');
  }
  if (row.status !== 'SUCCEEDED') throw problemOf(row.errorCode, row.errorMessage);
  const results = [...(await findResults(deps.db, id)).values()];
  const last = results.find(({ finishReason }) => finishReason);
  if (!last) throw new Error(`The synchronous request ${id} succeeded without a result`);
  const written = {
    id,
    model: last.model,
    text: last.text ?? '',
    finishReason: last.finishReason ?? ('other' as const),
    usage: last.usage ?? { inputTokens: 0, outputTokens: 0 },
  };
  return operation.synchronous?.from(written, row.input);
}

/**
 * Cancels a request for which the client no longer waits, so that it costs nothing.
 * @returns the row if the request ended first
 */
async function cancelUnlessEnded(deps: ServiceDependencies, id: string) {
  const outcome = await endAsCanceled(deps, id);
  return outcome === 'CANCELED' ? null : findArtwork(deps.db, id);
}

function problemOf(code: string | null | undefined, message: string | null | undefined): Problem {
  const known = isErrorCode(code) ? code : 'internal_error';
  return new Problem(known, { message: message ?? errors[known].message });
}
