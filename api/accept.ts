/** Accepts an artwork: start the workflow, then store the row, then answer. Nobody holds a 202 without both. */
import type { answer } from '../workflows/answer.ts';
import type { artwork } from '../workflows/artwork.ts';
import type { Accepted } from '../schemas/artwork.ts';
import type { Operation } from '../schemas/operation.ts';
import { searchAttributes } from '../schemas/search-attributes.ts';
import type { ArtworkInput } from '../schemas/workflow.ts';
import { insertArtwork } from '../store/artworks.ts';
import { isUniqueViolation } from '../store/database.ts';
import type { ApiKey } from '../store/entities.ts';
import { storeInput } from '../store/inputs.ts';
import type { Dependencies } from './dependencies.ts';
import type { Intake } from './intake.ts';
import { Problem } from './problem.ts';
import { startWorkflow } from './start-workflow.ts';

/** Milliseconds after which an answer is of no use to anybody, should its workflow not have removed it before. */
const answerKept = 2 * 60_000;

/** Bounds how long a dead worker's running workflow task keeps others from it. */
const workflowTaskTimeout = '3s' as const;

interface Request extends Record<string, unknown> {
  webhookUrl?: string;
  metadata?: Record<string, string>;
}

/**
 * @param intake the request, checked against the operation's schema, and the images that came with it
 * @throws Problem `unavailable`: nothing was accepted; a workflow that may have started finds no row and ends
 */
export async function accept(
  deps: Dependencies,
  operation: Operation,
  key: ApiKey,
  { body, stored, style }: Intake,
): Promise<Accepted> {
  const now = deps.now();
  const id = deps.newId(operation.answer ? 'ans' : 'art', now);
  const createdAt = new Date(now);
  const expiresAt = new Date(now + (operation.answer ? deps.config.answerTimeout + answerKept : deps.config.retention));
  const { webhookUrl, metadata = {}, ...input } = operation.complete(body, deps.newSeed) as Request;
  const plan = { ...operation.plan(input, style), ...(key.environment === 'test' && { test: true }) };
  const model = plan.stages.at(-1)?.calls[0]?.model ?? operation.name;

  await start(deps, operation, model, {
    id,
    orgId: key.org,
    keyId: key.id,
    operation: operation.name,
    expiresAt: expiresAt.getTime(),
    schedule: deps.config.webhookSchedule,
  });
  try {
    for (const [source, bytes] of stored) await storeInput(deps.files, id, source, bytes);
    await insertArtwork(deps.db, {
      id,
      org: key.org,
      key: key.id,
      operation: operation.name,
      domain: operation.domain,
      input,
      plan,
      metadata,
      webhookUrl: webhookUrl ?? null,
      createdAt,
      expiresAt,
    });
  } catch (cause) {
    // The workflow has claimed the id and removed what was there; what came later is for us to remove.
    if (!isUniqueViolation(cause)) throw cause;
    if (stored.size > 0) await deps.files.remove(id);
    throw new Problem('unavailable', { cause });
  }
  if (!operation.answer) deps.uses.countArtwork(key.id, operation.name, now);
  const status = 'STARTING';
  return {
    id,
    status,
    operation: operation.name,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
  };
}

function start(deps: Dependencies, operation: Operation, model: string, input: ArtworkInput): Promise<void> {
  const keyword = (name: string, value: string) => ({ key: { name, type: 'KEYWORD' as const }, value });
  const options = {
    workflowId: input.id,
    workflowTaskTimeout,
    staticSummary: `${operation.name} · ${input.orgId}`,
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
  const asked = { ...input, patience: deps.config.answerTimeout };
  return startWorkflow<typeof answer>(deps, 'answer', { ...options, args: [asked] });
}
