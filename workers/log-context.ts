/** Adds the ids of the artwork and of its request to all log lines of a running step. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { defaultPayloadConverter } from '@temporalio/common';
import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import { requestIdHeader } from '../schemas/workflow.ts';

const current = new AsyncLocalStorage<object>();

/** Returns the fields of the current step; empty outside a step. */
export const logContext = (): object => ({ ...current.getStore() });

export const addLogContext: ActivityInterceptorsFactory = ({ info }) => {
  const fields: Record<string, string> = { ...subjectOf(info.workflowExecution?.workflowId) };
  return {
    inbound: {
      execute(input, next) {
        const header = input.headers[requestIdHeader];
        if (header) fields['requestId'] = defaultPayloadConverter.fromPayload(header);
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
