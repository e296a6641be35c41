/** Accepts an artwork: start the workflow, then store the row, then answer. Nobody holds a 202 without both. */
import { isGrpcServiceError, ServiceError } from '@temporalio/client';
import type { artwork } from '../workflows/artwork.ts';
import type { Accepted } from '../schemas/artwork.ts';
import type { Operation } from '../schemas/operation.ts';
import { searchAttributes } from '../schemas/search-attributes.ts';
import type { ArtworkInput } from '../schemas/workflow.ts';
import { insertArtwork } from '../store/artworks.ts';
import { isUniqueViolation } from '../store/database.ts';
import type { ApiKey } from '../store/entities.ts';
import type { Dependencies } from './dependencies.ts';
import { Problem } from './problem.ts';

/**
 * Milliseconds that Temporal may take, so that its 503 comes within three seconds. With the insert's own limit of two
 * seconds it stays below the patience of `begin`.
 */
const startTimeout = 2500;

/** Bounds how long a dead worker's running workflow task keeps others from it. */
const workflowTaskTimeout = '3s';

interface Request extends Record<string, unknown> {
  webhookUrl?: string;
  metadata: Record<string, string>;
}

/**
 * @param body checked against the operation's request schema
 * @throws Problem `unavailable`: nothing was accepted; a workflow that may have started finds no row and ends
 */
export async function accept(
  deps: Dependencies,
  operation: Operation,
  key: ApiKey,
  body: Record<string, unknown>,
): Promise<Accepted> {
  const now = deps.now();
  const id = deps.newId('art', now);
  const createdAt = new Date(now);
  const expiresAt = new Date(now + deps.config.retention);
  const { webhookUrl, metadata, ...input } = operation.complete(body, deps.newSeed) as Request;
  const plan = operation.plan(input);
  const model = plan.stages.at(-1)?.calls[0]?.model ?? operation.name;

  await start(deps, operation.name, model, {
    id,
    orgId: key.org,
    keyId: key.id,
    operation: operation.name,
    expiresAt: now + deps.config.retention,
    schedule: deps.config.webhookSchedule,
  });
  try {
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
    if (isUniqueViolation(cause)) throw new Problem('unavailable', { cause });
    throw cause;
  }
  const status = 'STARTING';
  return {
    id,
    status,
    operation: operation.name,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
  };
}

async function start(deps: Dependencies, operation: string, model: string, input: ArtworkInput): Promise<void> {
  const { temporal, config } = deps;
  const keyword = (name: string, value: string) => ({ key: { name, type: 'KEYWORD' as const }, value });
  try {
    await temporal.connection.withDeadline(Date.now() + startTimeout, () =>
      temporal.workflow.start<typeof artwork>('artwork', {
        workflowId: input.id,
        taskQueue: config.temporal.taskQueue,
        args: [input],
        workflowTaskTimeout,
        staticSummary: `${operation} · ${input.orgId}`,
        typedSearchAttributes: [
          keyword(searchAttributes.organization, input.orgId),
          keyword(searchAttributes.operation, operation),
          // It is STARTING for milliseconds, which are not worth an event and a visibility write of their own.
          keyword(searchAttributes.status, 'PROCESSING'),
          keyword(searchAttributes.model, model),
        ],
        // One organization's burst does not hold up another's artworks.
        priority: { fairnessKey: input.orgId },
      }),
    );
  } catch (cause) {
    if (cause instanceof ServiceError || isGrpcServiceError(cause)) throw new Problem('unavailable', { cause });
    throw cause;
  }
}
