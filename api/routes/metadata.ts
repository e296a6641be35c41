/** Describes the service and reports its health. Needs no key. */
import type { RequestHandler } from 'express';
import { dependencyChecks } from '../../runtime/dependency-checks.ts';
import { cacheHealth, checkHealth } from '../../runtime/health.ts';
import { version } from '../../runtime/version.ts';
import type { Endpoint } from '../../schemas/endpoint.ts';
import type { Dependencies } from '../dependencies.ts';
import { noteDecision } from '../http/request-facts.ts';

/** GET /: name, version and every documented route. */
export function describeService(deps: Dependencies, endpoints: readonly Endpoint[]): RequestHandler {
  const { publicUrl } = deps.config;
  const routes = endpoints.map(({ method, path, access, summary }) => ({
    method,
    path,
    scope: access === 'public' ? null : access.scope,
    domain: access === 'public' ? null : (access.domains?.join(' or ') ?? null),
    summary,
  }));
  const docs = `${publicUrl}/docs`;
  return (_request, response) => {
    response.json({
      name: 'Atelier',
      version,
      apiVersion: 'v2',
      docs,
      openapi: `${publicUrl}/openapi.json`,
      routes,
    });
  };
}

/** Every path under /v1: 410 with exactly these three fields. */
export function retired(deps: Dependencies): RequestHandler {
  return (_request, response) => {
    const message = 'V1 is deprecated. Use V2: change paths from /v1/... to /v2/... and send an API key.';
    noteDecision(response, 'retired');
    response.status(410).json({ statusCode: 410, message, docs: `${deps.config.publicUrl}/docs` });
  };
}

/**
 * GET /health and /health/ready…: reports whether requests could be accepted within the last second.
 * @param required the checks without which the response is 503; default: all
 */
export function health({ db, temporal, now }: Dependencies, required?: readonly string[]): RequestHandler {
  const checks = dependencyChecks(db, temporal.connection);
  const check = cacheHealth(() => checkHealth(checks, required), now);
  return async (_request, response) => {
    const found = await check();
    response.status(found.status === 'ok' ? 200 : 503).json(found);
  };
}

/** GET /health/live: reports that the process responds. */
export const live: RequestHandler = (_request, response) => {
  response.json({ status: 'ok', version });
};
