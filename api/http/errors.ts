/** Sends every error response: maps an error to a Problem, and the Problem to status, headers and body. */
import type { ErrorRequestHandler, RequestHandler, Response } from 'express';
import { explainTemporalError } from '../../runtime/temporal-errors.ts';
import { errors } from '../../schemas/errors.ts';
import { LimitExceeded } from '../../store/limit-exceeded.ts';
import { isStoreUnavailable } from '../../store/unavailable.ts';
import { limitProblem } from '../../services/limit-problem.ts';
import { invalidRequest, Problem } from '../../services/problem.ts';
import type { Dependencies } from '../dependencies.ts';
import { keepOpenWhileSending } from './keep-open.ts';
import { noteDecision } from './request-facts.ts';

/** Seconds before a client should retry after a 503. */
const retryAfter = '2';

function sendProblem(response: Response, problem: Problem): void {
  const { code, message, fields } = problem;
  const { status } = errors[code];
  noteDecision(response, code);
  if (status === 401) response.set('WWW-Authenticate', 'Bearer');
  if (status === 503) response.set('Retry-After', retryAfter);
  keepOpenWhileSending(response.req, response);
  response.set(problem.headers).status(status);
  response.json({ status, message, code, requestId: response.req.id, ...(fields && { errors: fields }) });
}

export const notFound: RequestHandler = (_request, response) => sendProblem(response, new Problem('not_found'));

/**
 * Returns Express's error handler, which receives everything that a handler throws. It logs errors of ours, and why
 * Temporal could not be used, and counts exceeded limits.
 */
export function errorHandler({ config, metrics, now }: Dependencies): ErrorRequestHandler {
  return (error: unknown, request, response, next) => {
    if (response.headersSent) return next(error);
    const problem = toProblem(error, new Date(now()));
    if (problem.limit) metrics.limitsExceeded.inc({ limit: problem.limit });
    if (errors[problem.code].status >= 500) {
      const err = problem.cause ?? error;
      request.log.error({ err }, explainTemporalError(err, config.temporal)?.message ?? problem.code);
    }
    sendProblem(response, problem);
  };
}

function toProblem(error: unknown, now: Date): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof LimitExceeded) return limitProblem(error, now);
  if (isStoreUnavailable(error)) return new Problem('unavailable', { cause: error });
  // Express rejects conditions of requests for files of the documentation, such as `If-Match`.
  const { status } = (error ?? {}) as { status?: number };
  if (status !== undefined && status >= 400 && status < 500) {
    return invalidRequest({ path: '', rule: 'headers', message: 'has headers that cannot be satisfied' });
  }
  return new Problem('internal_error', { cause: error });
}
