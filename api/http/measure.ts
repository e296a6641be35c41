/** Counts every response by its route, and measures the time to accept each creation. */
import type { Request, RequestHandler } from 'express';
import type { Dependencies } from '../dependencies.ts';

/** Methods that are label values of the metric. A client can invent others. */
const methods = new Set(['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS']);

export function measureRequests({ metrics }: Dependencies): RequestHandler {
  return (request, response, next) => {
    const endTimer = metrics.accept.startTimer();
    response.once('close', () => {
      metrics.requests.inc({
        method: methods.has(request.method) ? request.method : 'other',
        route: routeOf(request),
        status: response.writableFinished ? response.statusCode : 'aborted',
      });
      const accepted: unknown = response.locals['accepted'];
      if (typeof accepted === 'string') endTimer({ operation: accepted });
    });
    next();
  };
}

/** Returns the pattern of the route. Paths would give the metric an unbounded number of labels. */
export function routeOf({ route, originalUrl }: Request): string {
  const path = (route as { path?: unknown } | undefined)?.path;
  if (typeof path === 'string') return path;
  return /^\/v1(\/|\?|$)/i.test(originalUrl) ? '/v1' : 'none';
}
