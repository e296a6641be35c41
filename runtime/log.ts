/** Structured logs. They contain no data of clients, no keys and no secrets. */
import { pino } from 'pino';
import { codeOf } from './error-code.ts';

/**
 * Creates the logger of a process.
 * @param level one of pino's levels, or `silent`
 * @param context returns fields to add to the current line
 * @param file a file descriptor: by default, standard output
 */
export function createLogger(name: string, level: string, context?: () => object, file: 1 | 2 = 1) {
  const options = {
    name,
    level,
    ...(context && { mixin: context }),
    serializers: { err: serializeError },
    redact: ['req.headers.authorization', 'req.headers.cookie'],
  };
  return file === 1 ? pino(options) : pino(options, pino.destination(file));
}

export type Logger = ReturnType<typeof createLogger>;

/** Replaces the message of a database error by its code, because the message repeats values of the statement. */
export function serializeError(error: unknown): object {
  if (!(error instanceof Error)) return { type: typeof error };
  const { name, stack, cause } = error;
  const code = codeOf(error);
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
