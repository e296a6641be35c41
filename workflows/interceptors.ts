/** Hands the id of the request on to every step, for its lines in the log. It changes no command of a running history. */
import { type Headers, defaultPayloadConverter, type WorkflowInterceptors } from '@temporalio/workflow';
import { requestIdHeader } from '../schemas/workflow.ts';

export function interceptors(): WorkflowInterceptors {
  let own: Headers = {};
  return {
    inbound: [
      {
        execute(input, next) {
          const [first] = input.args as [{ requestId?: string }?];
          if (first?.requestId !== undefined) {
            own = { [requestIdHeader]: defaultPayloadConverter.toPayload(first.requestId) };
          }
          return next(input);
        },
      },
    ],
    outbound: [
      {
        scheduleActivity: (input, next) => next({ ...input, headers: { ...input.headers, ...own } }),
        scheduleLocalActivity: (input, next) => next({ ...input, headers: { ...input.headers, ...own } }),
      },
    ],
  };
}
