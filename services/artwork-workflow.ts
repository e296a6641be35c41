/** Starts the workflow of an artwork or of a synchronous request, labelled for the Temporal UI. */
import type { synchronousRequest } from '../workflows/synchronous-request.ts';
import type { artwork } from '../workflows/artwork.ts';
import type { Operation } from '../schemas/operation.ts';
import type { Plan } from '../schemas/plan.ts';
import { searchAttributes } from '../schemas/search-attributes.ts';
import type { ArtworkInput } from '../schemas/workflow.ts';
import type { CreationDependencies } from './dependencies.ts';
import { startWorkflow } from './start-workflow.ts';

/** The share of a synchronous request's timeout that the model may use. The rest is for storing and sending the result. */
const modelShare = 0.95;

/** Bounds how long the running workflow task of a dead worker is kept from other workers. */
const workflowTaskTimeout = '3s' as const;

type WorkflowDependencies = Pick<CreationDependencies, 'config' | 'temporal' | 'metrics' | 'now'>;

/**
 * @param plan null when the artwork has ended
 * @param resultRetention milliseconds that the result of a synchronous request is kept; null: a minute
 * @throws Problem `unavailable` when Temporal cannot be reached; `WorkflowExecutionAlreadyStartedError` when a workflow
 * with this id runs or has completed
 */
export function startArtworkWorkflow(
  deps: WorkflowDependencies,
  operation: Pick<Operation, 'name' | 'synchronous'>,
  plan: Plan | null,
  input: ArtworkInput,
  resultRetention: number | null = null,
): Promise<void> {
  const model = plan?.stages.at(-1)?.calls[0]?.model ?? operation.name;
  const keyword = (name: string, value: string) => ({ key: { name, type: 'KEYWORD' as const }, value });
  const options = {
    workflowId: input.id,
    // A workflow that has completed has purged its artwork.
    workflowIdReusePolicy: 'ALLOW_DUPLICATE_FAILED_ONLY' as const,
    workflowTaskTimeout,
    staticSummary: `${operation.name} · ${input.orgId}`,
    staticDetails: `Created by ${input.keyId}.`,
    typedSearchAttributes: [
      keyword(searchAttributes.organization, input.orgId),
      keyword(searchAttributes.operation, operation.name),
      // An artwork is STARTING for milliseconds. That is not worth another event and another visibility write.
      keyword(searchAttributes.status, 'PROCESSING'),
      keyword(searchAttributes.model, model),
    ],
    // A burst of one organization does not delay the artworks of another.
    priority: { fairnessKey: input.orgId },
  };
  if (!operation.synchronous) return startWorkflow<typeof artwork>(deps, 'artwork', { ...options, args: [input] });
  const timeout = deps.config.synchronousTimeout;
  // Usually, the client cannot read a result that is stored after its 504, so the model stops before that.
  const until = deps.now() + timeout * modelShare;
  return startWorkflow<typeof synchronousRequest>(deps, 'answer', {
    ...options,
    args: [{ ...input, patience: timeout, until, ...(resultRetention !== null && { resultRetention }) }],
  });
}
