/** Passes the request id to every activity, for its log lines. Headers do not affect replay, so this needs no patch. */
import { type Headers, defaultPayloadConverter, type WorkflowInterceptors } from '@temporalio/workflow';
import { requestIdHeader } from '../schemas/workflow.ts';

export function interceptors(): WorkflowInterceptors {
  let requestHeaders: Headers = {};
  return {
    inbound: [
      {
        execute(input, next) {
          const [first] = input.args as [{ requestId?: string }?];
          if (first?.requestId !== undefined) {
            requestHeaders = { [requestIdHeader]: defaultPayloadConverter.toPayload(first.requestId) };
          }
          return next(input);
        },
      },
    ],
    outbound: [
      {
        scheduleActivity: (input, next) => next({ ...input, headers: { ...input.headers, ...requestHeaders } }),
        scheduleLocalActivity: (input, next) => next({ ...input, headers: { ...input.headers, ...requestHeaders } }),
      },
    ],
  };
}
