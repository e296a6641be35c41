/** Writes log messages of the Temporal SDK to the service's log. */
import { DefaultLogger, type LogEntry } from '@temporalio/worker';
import type { Logger } from '../runtime/log.ts';
import { subjectOf } from './log-context.ts';

export function temporalLogger(log: Logger): DefaultLogger {
  return new DefaultLogger('WARN', ({ level, message, meta }: LogEntry) => {
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
