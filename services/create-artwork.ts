/**
 * Creates an artwork: every step from a parsed request to its 202, in order. The API calls it for `POST /v2/artworks/…`
 * and for synchronous requests; the operator's `artworks retry` calls it for the request of a failed artwork.
 */
import type { Accepted } from '../schemas/artwork.ts';
import { keptResult } from '../schemas/creation.ts';
import type { Operation } from '../schemas/operation.ts';
import { insertArtwork } from '../store/artworks.ts';
import { isOutOfCredits } from '../store/credits.ts';
import { isForeignKeyViolation, isUniqueViolation } from '../store/database.ts';
import { onePerIdempotencyKey } from '../store/entities.ts';
import type { Files } from '../store/files.ts';
import type { Idempotency } from '../store/idempotency.ts';
import { storeInput } from '../store/inputs.ts';
import { LimitExceeded } from '../store/limit-exceeded.ts';
import { abandonRequest, withdrawRequest } from './abandon-request.ts';
import { startArtworkWorkflow } from './artwork-workflow.ts';
import { withinLimits } from './creation-limits.ts';
import { type CreationRequest, resolveReferences, validateRequest } from './creation-request.ts';
import type { CreationDependencies } from './dependencies.ts';
import { digestRequest, findFirstResponse, replayEarlier, viewAccepted } from './idempotency.ts';
import { Problem } from './problem.ts';
import { quoteArtwork, type QuotedArtwork } from './quote-artwork.ts';
import type { References } from './request-references.ts';

/** Milliseconds from the timeout of a synchronous request to the expiry of its row. Its workflow purges the row earlier. */
const expiryMargin = 2 * 60_000;

/**
 * Milliseconds from the start of the workflow after which no row is inserted, because the workflow keeps its claim of the
 * id for an hour. Only a process that was frozen takes so long.
 */
const latestInsert = 10 * 60_000;

export interface Creation {
  artwork: Accepted;
  /** Whether an earlier, equal request created the artwork. */
  replayed: boolean;
}

/**
 * @throws LimitExceeded; Problem `validation_failed`, `idempotency_mismatch`, `insufficient_credits` or `unavailable`. In
 * these cases, nothing is accepted; if the workflow has started, it finds no row and ends. After a database error, a
 * request with an idempotency key may be stored: its repeat gets the 202
 */
export async function createArtwork(
  deps: CreationDependencies,
  operation: Operation,
  request: CreationRequest,
): Promise<Creation> {
  const { key } = request;

  // 1. Parse and validate. The failures are not thrown yet, because the client should read all of them at once.
  const { body, failures } = validateRequest(request);

  // 2. Replay a repeated request. This comes before step 3, because its images or its style may be deleted by now.
  let idempotency: Idempotency | null = null;
  if (request.idempotency && failures.length === 0) {
    idempotency = { key: request.idempotency.key, request: digestRequest(operation, body) };
    const earlier = await request.idempotency.earlier;
    const first = await replayEarlier(deps.db, operation, earlier, idempotency, new Date(deps.now()));
    if (first) return { artwork: first, replayed: true };
  }

  // 3. Read the images and the style that the body refers to, then reject the request for everything that is wrong.
  const references = await resolveReferences(deps, operation, request, body, failures);

  // 4. Complete, plan and quote.
  const quotedRequest = quoteArtwork(deps, operation, key, references);
  const { price } = quotedRequest.quote;
  // Step 8 enforces the balance. This check avoids starting a workflow for a request that the key cannot pay.
  if (price > key.credits) {
    const message = `This request can cost ${price} credits, and this API key has ${key.credits}.`;
    throw new Problem('insufficient_credits', { message });
  }

  // 5. Check the limits of the organization, until the artwork is stored.
  const quoted = { ...quotedRequest, images: references.images, idempotency };
  const accept = () => acceptArtwork(deps, operation, request, quoted);
  if (!request.limits) return accept();
  const encoder = quoted.plan.encodes ? operation.name : null;
  return withinLimits(deps, request.limits, { holder: key, price, encoder }, accept);
}

interface AcceptedRequest extends QuotedArtwork {
  /** The images that came inside the request, by their digests. */
  images: References['images'];
  idempotency: Idempotency | null;
}

/** @throws as `createArtwork` */
async function acceptArtwork(
  deps: CreationDependencies,
  operation: Operation,
  { key, requestId, limits }: CreationRequest,
  { input, plan, quote, webhookUrl, metadata, images, idempotency }: AcceptedRequest,
): Promise<Creation> {
  // 6. Start the workflow. It starts before anything is stored, because it cleans up: without a row, it deletes the
  // inputs and ends.
  const createdAt = deps.now();
  const id = deps.newId(operation.synchronous ? 'ans' : 'art', createdAt);
  // A repeat of a synchronous request needs the result. Without an idempotency key, no repeat can find the result.
  const resultRetention = operation.synchronous && idempotency ? keptResult : null;
  const lifetime = operation.synchronous
    ? deps.config.synchronousTimeout + expiryMargin + (resultRetention ?? 0)
    : deps.config.retention;
  const expiresAt = createdAt + lifetime;
  const workflowInput = {
    id,
    orgId: key.org,
    keyId: key.id,
    operation: operation.name,
    expiresAt,
    schedule: deps.config.webhookSchedule,
  };
  await startArtworkWorkflow(deps, operation, plan, workflowInput, resultRetention);

  const names = { id, org: key.org, key: key.id, operation: operation.name, domain: operation.domain };
  const row = { ...names, createdAt: new Date(createdAt), expiresAt: new Date(expiresAt) };
  let isInserting = false;
  try {
    // 7. Store the images that came inside the request.
    await storeInputs(deps.files, id, images);

    // 8. Insert the row, reserve the credits and record the idempotency key, in one transaction.
    if (deps.now() - createdAt > latestInsert) throw new Problem('unavailable');
    isInserting = true;
    const content = { input, plan, metadata, webhookUrl };
    const creditLimits = limits?.limits ?? null;
    await insertArtwork(deps.db, { ...row, requestId, ...content, quote, idempotency, creditLimits });
  } catch (cause) {
    const reason = rejectionOf(cause);
    const canSignal = !operation.synchronous;
    if (isInserting && !reason) {
      // The response to the insert may be lost, and the row may exist. A repeat with the idempotency key finds the row.
      // Otherwise, the client never learns its id, so the workflow deletes it.
      if (!idempotency) await withdrawRequest(deps, workflowInput, { canSignal });
      throw cause;
    }
    await abandonRequest(deps, workflowInput, { canSignal });
    if (!reason || reason === 'limit') throw cause;
    const first = reason === 'replayed' && idempotency && (await findFirstResponse(deps.db, key, idempotency));
    if (first) return { artwork: first, replayed: true };
    // The key or the earlier artwork has been deleted, or the workflow has claimed this id.
    throw new Problem(reason === 'replayed' ? 'unavailable' : reason, { cause });
  }

  // 9. Respond with the 202.
  if (!operation.synchronous) deps.uses.countArtwork(key.id, operation.name, createdAt);
  return { artwork: viewAccepted({ ...row, reserved: quote.price }), replayed: false };
}

/**
 * Stores the images of a request at the same time. Waits for all writes even when one fails, because the workflow
 * removes the files, and a write that went on could come after that.
 * @throws the error of the first write that failed
 */
async function storeInputs(files: Files, id: string, images: References['images']): Promise<void> {
  const writes = [...images].map(([source, bytes]) => storeInput(files, id, source, bytes));
  await Promise.allSettled(writes);
  await Promise.all(writes);
}

/**
 * Returns why the database rejected the row: `unavailable` if the workflow has claimed its id, `invalid_api_key` if the key
 * was erased meanwhile; null for any other error.
 */
function rejectionOf(
  cause: unknown,
): 'replayed' | 'insufficient_credits' | 'limit' | 'unavailable' | 'invalid_api_key' | null {
  if (cause instanceof LimitExceeded) return 'limit';
  if (isOutOfCredits(cause)) return 'insufficient_credits';
  if (isForeignKeyViolation(cause)) return 'invalid_api_key';
  if (isUniqueViolation(cause, onePerIdempotencyKey)) return 'replayed';
  return isUniqueViolation(cause) ? 'unavailable' : null;
}
