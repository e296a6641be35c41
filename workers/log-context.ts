/** Every line that is logged while a step runs names its artwork, and the request that asked for it. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { defaultPayloadConverter } from '@temporalio/common';
import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import { requestIdHeader } from '../schemas/workflow.ts';

const current = new AsyncLocalStorage<object>();

/** Of the step that runs now; empty outside of one. */
export const logContext = (): object => ({ ...current.getStore() });

export const nameInLog: ActivityInterceptorsFactory = ({ info }) => {
  const about: Record<string, string> = { ...subject(info.workflowExecution?.workflowId) };
  return {
    inbound: {
      execute(input, next) {
        const header = input.headers[requestIdHeader];
        if (header) about['requestId'] = defaultPayloadConverter.fromPayload(header);
        return current.run(about, () => next(input));
      },
    },
    // For what the SDK says of the step by itself.
    outbound: { getLogAttributes: (attributes, next) => next({ ...attributes, ...about }) },
  };
};

/** Workflows are named after what they are about. */
export function subject(workflowId: string | undefined): Record<string, string> {
  if (workflowId === undefined) return {};
  return workflowId.startsWith('file_') ? { fileId: workflowId } : { artworkId: workflowId };
}
