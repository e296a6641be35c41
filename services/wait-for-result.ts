/** Synchronous requests: created like an artwork, awaited by the client, and purged a minute after their end, or ten minutes with an `Idempotency-Key`. */
import { withDeadline } from '../runtime/deadline.ts';
import { callTemporal } from '../runtime/temporal.ts';
import { readingTimeout, temporalTimeout } from '../runtime/timeouts.ts';
import { errors, isErrorCode } from '../schemas/errors.ts';
import type { Operation } from '../schemas/operation.ts';
import { findArtwork } from '../store/artworks.ts';
import { endAsCanceled } from '../store/end-artwork.ts';
import type { Artwork } from '../store/entities.ts';
import { findResults } from '../store/results.ts';
import type { ServiceDependencies } from './dependencies.ts';
import { Problem } from './problem.ts';
import { waitUntilEnded } from './wait-for-artwork.ts';

interface AwaitedRequest {
  /** The id of its workflow and row. */
  id: string;
  /** Whether a repeat with the same `Idempotency-Key` can read the result: then the request is never canceled. */
  isKept: boolean;
}

/**
 * Returns the result of a synchronous request. Continues to wait while this process stops, because a result that was
 * paid for would be lost.
 * @param clientGone aborts when the client disconnects
 * @throws Problem with the code that an artwork would show, or `unavailable` when the database does not respond
 */
export async function waitForResult(
  deps: ServiceDependencies,
  operation: Operation,
  { id, isKept }: AwaitedRequest,
  clientGone: AbortSignal,
): Promise<object | undefined> {
  const ended = await waitUntilEnded(deps, id, deps.config.synchronousTimeout, clientGone).catch(
    async (cause: unknown) => {
      if (!isKept) await cancelWorkflow(deps, id);
      throw cause;
    },
  );
  const row = ended ?? (isKept ? await findEnded(deps, id) : await cancelUnlessEnded(deps, id));
  if (!row) throw new Problem('provider_timeout');
  if (row.status !== 'SUCCEEDED') throw problemOf(row.errorCode, row.errorMessage);
  const results = [...(await withDeadline(readingTimeout, () => findResults(deps.db, id))).values()];
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
 * Returns the row if the request has ended, otherwise null.
 * @throws Problem `unavailable` when the result was purged meanwhile: the next repeat runs the request again
 */
async function findEnded({ db }: ServiceDependencies, id: string): Promise<Artwork | null> {
  const row = await withDeadline(readingTimeout, () => findArtwork(db, id));
  if (!row) throw new Problem('unavailable');
  return row.finishedAt ? row : null;
}

/**
 * Cancels a request for which no client waits any more, so that it costs nothing.
 * @returns the row if the request ended first
 */
async function cancelUnlessEnded(deps: ServiceDependencies, id: string): Promise<Artwork | null> {
  let row: Artwork | null = null;
  try {
    row = await withDeadline(readingTimeout, async () => {
      const outcome = await endAsCanceled(deps, id);
      return outcome === 'CANCELED' ? null : await findArtwork(deps.db, id);
    });
  } finally {
    if (!row) await cancelWorkflow(deps, id);
  }
  return row;
}

/** Never throws. Without the cancellation, the workflow works until the model's timeout. */
async function cancelWorkflow({ temporal, log }: ServiceDependencies, id: string): Promise<void> {
  const handle = temporal.workflow.getHandle(id);
  await callTemporal(temporal.connection, temporalTimeout, () => handle.cancel()).catch((err: unknown) =>
    log.warn({ err, artworkId: id }, 'Could not cancel a synchronous request'),
  );
}

function problemOf(code: string | null | undefined, message: string | null | undefined): Problem {
  const known = isErrorCode(code) ? code : 'internal_error';
  return new Problem(known, { message: message ?? errors[known].message });
}
