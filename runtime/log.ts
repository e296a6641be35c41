/** Structured logs to standard output. Nothing that a client sent, and no key or secret, gets into them. */
import { pino } from 'pino';

/**
 * Our processes' logger.
 * @param level a level of pino's, or `silent`
 * @param context what the line that is being logged is about
 */
export function createLogger(name: string, level: string, context?: () => object) {
  return pino({
    name,
    level,
    ...(context && { mixin: context }),
    serializers: { err: serializeError },
    redact: ['req.headers.authorization', 'req.headers.cookie'],
  });
}

export type Logger = ReturnType<typeof createLogger>;

/** An error's kind and place. Messages of the database repeat values of a statement: they end where those begin. */
function serializeError(error: unknown): object {
  if (!(error instanceof Error)) return { type: typeof error };
  const { name, stack, cause } = error;
  const code = 'code' in error ? error.code : undefined;
  const fromDatabase = typeof code === 'string' && 'severity' in error;
  const frames = stack?.slice(stack.indexOf('\n    at ') + 1);
  return {
    type: name,
    message: fromDatabase ? `${String(error.severity)} ${code}` : error.message,
    code,
    stack: frames,
    ...(cause instanceof Error && { cause: serializeError(cause) }),
  };
}
