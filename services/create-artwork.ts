/** Accepts an artwork: start the workflow, then store the row, then answer. Nobody holds a 202 without both. */
import type { synchronousRequest } from '../workflows/synchronous-request.ts';
import type { artwork } from '../workflows/artwork.ts';
import type { Accepted } from '../schemas/artwork.ts';
import type { Operation } from '../schemas/operation.ts';
import { searchAttributes } from '../schemas/search-attributes.ts';
import type { ArtworkInput } from '../schemas/workflow.ts';
import { insertArtwork } from '../store/artworks.ts';
import { isOutOfCredits } from '../store/credits.ts';
import { isUniqueViolation } from '../store/database.ts';
import { onePerIdempotencyKey } from '../store/entities.ts';
import { storeInput } from '../store/inputs.ts';
import type { ApiKey } from '../store/entities.ts';
import type { Idempotency } from '../store/idempotency.ts';
import type { CreationDependencies } from './dependencies.ts';
import type { Intake } from './intake.ts';
import { orderOf } from './order.ts';
import { Problem } from './problem.ts';
import { findReplay, viewAccepted } from './replay.ts';
import { startWorkflow } from './start-workflow.ts';

/** Milliseconds after which an answer is of no use to anybody, should its workflow not have removed it before. */
const answerKept = 2 * 60_000;

/** Of the time that a client waits for an answer, for the model; the rest is for what comes after it. */
const answerShare = 0.95;

/** Bounds how long a dead worker's running workflow task keeps others from it. */
const workflowTaskTimeout = '3s' as const;

/** What is asked for: checked against the operation's schema, and with the images that came with it. */
export interface Asking {
  /** The calling key. */
  key: ApiKey;
  intake: Intake;
  /** Null where the client sent no `Idempotency-Key`. */
  idempotency: Idempotency | null;
  /** Null where it came without a request over HTTP. */
  requestId: string | null;
}

export interface Acceptance {
  artwork: Accepted;
  /** Whether an equal request of the same moment has made it. */
  replayed: boolean;
}

/**
 * @throws Problem `unavailable`, `insufficient_credits` or `idempotency_mismatch`: nothing was accepted; a workflow
 * that may have started finds no row and ends
 */
export async function accept(
  deps: CreationDependencies,
  operation: Operation,
  { requestId, key, intake, idempotency }: Asking,
): Promise<Acceptance> {
  const { stored } = intake;
  const { input, plan, quote, webhookUrl, metadata } = orderOf(deps, operation, key, intake);
  // The reservation decides; this look spares a workflow where its answer is plain.
  if (quote.price > key.credits) {
    const message = `This request can cost ${quote.price} credits, and this API key has ${key.credits}.`;
    throw new Problem('insufficient_credits', { message });
  }
  const now = deps.now();
  const id = deps.newId(operation.answer ? 'ans' : 'art', now);
  const expiresAt = new Date(now + (operation.answer ? deps.config.answerTimeout + answerKept : deps.config.retention));
  const names = { id, org: key.org, key: key.id, operation: operation.name };
  const row = { ...names, createdAt: new Date(now), expiresAt };
  const model = plan.stages.at(-1)?.calls[0]?.model ?? operation.name;

  await start(deps, operation, model, {
    id,
    orgId: key.org,
    keyId: key.id,
    operation: operation.name,
    expiresAt: expiresAt.getTime(),
    schedule: deps.config.webhookSchedule,
    ...(requestId !== null && { requestId }),
  });
  try {
    for (const [source, bytes] of stored) await storeInput(deps.files, id, source, bytes);
    const { domain } = operation;
    await insertArtwork(deps.db, { ...row, domain, input, plan, metadata, webhookUrl, quote, idempotency });
  } catch (cause) {
    const code = refusalOf(cause);
    if (!code) throw cause;
    // The row can never come, and the workflow may have looked for what it has to remove already.
    if (stored.size > 0) await deps.files.remove(id);
    const first = code === 'replayed' && idempotency && (await findReplay(deps, key, idempotency));
    if (first) return { artwork: first, replayed: true };
    // Of two equal requests the first is purged already, or its id was claimed: another try makes a new one.
    throw new Problem(code === 'replayed' ? 'unavailable' : code, { cause });
  }
  if (!operation.answer) deps.uses.countArtwork(key.id, operation.name, now);
  return { artwork: viewAccepted({ ...row, reserved: quote.price }), replayed: false };
}

/** Why a row was refused; null where the database could not be asked. */
function refusalOf(cause: unknown): 'replayed' | 'insufficient_credits' | 'unavailable' | null {
  if (isOutOfCredits(cause)) return 'insufficient_credits';
  if (isUniqueViolation(cause, onePerIdempotencyKey)) return 'replayed';
  return isUniqueViolation(cause) ? 'unavailable' : null;
}

function start(deps: CreationDependencies, operation: Operation, model: string, input: ArtworkInput): Promise<void> {
  const keyword = (name: string, value: string) => ({ key: { name, type: 'KEYWORD' as const }, value });
  const options = {
    workflowId: input.id,
    workflowTaskTimeout,
    staticSummary: `${operation.name} · ${input.orgId}`,
    staticDetails: `Asked for by ${input.keyId}${input.requestId ? `, in the request ${input.requestId}` : ''}.`,
    typedSearchAttributes: [
      keyword(searchAttributes.organization, input.orgId),
      keyword(searchAttributes.operation, operation.name),
      // It is STARTING for milliseconds, which are not worth an event and a visibility write of their own.
      keyword(searchAttributes.status, 'PROCESSING'),
      keyword(searchAttributes.model, model),
    ],
    // One organization's burst does not hold up another's artworks.
    priority: { fairnessKey: input.orgId },
  };
  if (!operation.answer) return startWorkflow<typeof artwork>(deps, 'artwork', { ...options, args: [input] });
  const patience = deps.config.answerTimeout;
  // What is written after its client was told that it took too long would be paid for by nobody's wish.
  const until = deps.now() + patience * answerShare;
  const asked = { ...input, patience, until };
  return startWorkflow<typeof synchronousRequest>(deps, 'answer', { ...options, args: [asked] });
}
