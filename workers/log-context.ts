/** Adds the ids of the artwork and of its request to all log lines of a running step. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { ActivityInterceptorsFactory } from '@temporalio/worker';

const current = new AsyncLocalStorage<Record<string, string>>();

/** Returns the fields of the current step; empty outside a step. */
export const logContext = (): object => ({ ...current.getStore() });

/**
 * Adds the id of the request that created the artwork to the log lines of the current step. A step knows it once it has
 * read the row: Temporal must not store what a client has chosen.
 */
export function nameRequest(requestId: string | null | undefined): void {
  const fields = current.getStore();
  if (fields && requestId != null) fields['requestId'] = requestId;
}

export const addLogContext: ActivityInterceptorsFactory = ({ info }) => {
  const fields: Record<string, string> = { ...subjectOf(info.workflowExecution?.workflowId) };
  return {
    inbound: {
      execute(input, next) {
        return current.run(fields, () => next(input));
      },
    },
    // For log lines of the SDK about the step.
    outbound: { getLogAttributes: (attributes, next) => next({ ...attributes, ...fields }) },
  };
};

/** Returns the log field for a workflow id, which is the id of an artwork or an uploaded file. */
export function subjectOf(workflowId: string | undefined): Record<string, string> {
  if (workflowId === undefined) return {};
  return workflowId.startsWith('file_') ? { fileId: workflowId } : { artworkId: workflowId };
}
