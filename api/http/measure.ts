/** Counts every answer by its route's pattern, and takes the time of every creation that was accepted. */
import type { Request, RequestHandler } from 'express';
import type { Dependencies } from '../dependencies.ts';

const methods = new Set(['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS']);

export function measureRequests({ metrics }: Dependencies): RequestHandler {
  return (request, response, next) => {
    const took = metrics.accept.startTimer();
    response.once('close', () => {
      metrics.requests.inc({
        method: methods.has(request.method) ? request.method : 'other',
        route: routeOf(request),
        status: response.writableFinished ? response.statusCode : 'aborted',
      });
      const accepted: unknown = response.locals['accepted'];
      if (typeof accepted === 'string') took({ operation: accepted });
    });
    next();
  };
}

/** Never the path: anybody can make up as many of those as they like. */
function routeOf({ route, originalUrl }: Request): string {
  const path = (route as { path?: unknown } | undefined)?.path;
  if (typeof path === 'string') return path;
  return /^\/v1(\/|\?|$)/i.test(originalUrl) ? '/v1' : 'none';
}
