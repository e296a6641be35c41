/** Temporal's own messages, in our log. */
import { DefaultLogger, type LogEntry } from '@temporalio/worker';
import type { Logger } from '../log.ts';

export function temporalLogger(log: Logger): DefaultLogger {
  return new DefaultLogger('WARN', ({ level, message, meta }: LogEntry) => {
    const fields = { temporal: true, ...(meta && 'error' in meta && { err: meta['error'] as unknown }) };
    if (level === 'ERROR') log.error(fields, message);
    else log.warn(fields, message);
  });
}
