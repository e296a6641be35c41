/** Writes log messages of the Temporal SDK to the service's log. */
import { DefaultLogger, type LogEntry } from '@temporalio/worker';
import type { Logger } from '../runtime/log.ts';
import { subjectOf } from './log-context.ts';

/** @param onLostConnection receives the warnings of the SDK that it cannot reach Temporal; they are not logged */
export function temporalLogger(log: Logger, onLostConnection: (warning: string) => void): DefaultLogger {
  return new DefaultLogger('WARN', ({ level, message, meta }: LogEntry) => {
    if (level === 'WARN' && /^gRPC call \w+ retried/.test(message)) return onLostConnection(message);
    const { workflowId, requestId, taskQueue, activityType, error } = (meta ?? {}) as Partial<Record<string, unknown>>;
    const fields = {
      temporal: true,
      ...(typeof workflowId === 'string' && subjectOf(workflowId)),
      requestId,
      taskQueue,
      step: activityType,
      ...(error !== undefined && { err: error }),
    };
    if (level === 'ERROR') log.error(fields, message);
    else log.warn(fields, message);
  });
}
