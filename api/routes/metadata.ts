/** Describes the service and reports its health. Needs no key. */
import type { RequestHandler } from 'express';
import type { Endpoint } from '../../schemas/endpoint.ts';
import type { Dependencies } from '../dependencies.ts';
import { version } from '../../runtime/version.ts';

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
    response.status(410).json({ statusCode: 410, message, docs: `${deps.config.publicUrl}/docs` });
  };
}

/** Milliseconds for each check. */
const checkTimeout = 1000;

/** GET /health and /health/ready: reports whether requests can be accepted now. */
export function health(deps: Dependencies): RequestHandler {
  return async (_request, response) => {
    const [database, temporal] = await Promise.all([
      isWorking(() => deps.db.em().getConnection().execute('select 1')),
      isWorking(() =>
        deps.temporal.connection.withDeadline(Date.now() + checkTimeout, () =>
          deps.temporal.workflowService.getSystemInfo({}),
        ),
      ),
    ]);
    const status = database && temporal ? 'ok' : 'unavailable';
    const checks = { database: database ? 'ok' : 'unavailable', temporal: temporal ? 'ok' : 'unavailable' };
    response.status(status === 'ok' ? 200 : 503).json({ status, version, checks });
  };
}

/** GET /health/live: reports that the process responds. */
export const live: RequestHandler = (_request, response) => {
  response.json({ status: 'ok', version });
};

async function isWorking(check: () => Promise<unknown>): Promise<boolean> {
  try {
    await Promise.race([
      check(),
      new Promise((_resolve, reject) => setTimeout(() => reject(new Error('timeout')), checkTimeout).unref()),
    ]);
    return true;
  } catch {
    return false;
  }
}
