/** What the service is and whether it works: no key needed. */
import type { RequestHandler } from 'express';
import type { Endpoint } from '../../schemas/endpoint.ts';
import type { Dependencies } from '../dependencies.ts';
import { version } from '../../runtime/version.ts';

/** GET /: name, version, and every public route. */
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

/** /v1 is gone: exactly these three fields, whatever was asked. */
export function retired(deps: Dependencies): RequestHandler {
  return (_request, response) => {
    const message = 'V1 is deprecated. Use V2: change paths from /v1/... to /v2/... and send an API key.';
    response.status(410).json({ statusCode: 410, message, docs: `${deps.config.publicUrl}/docs` });
  };
}

const checkTimeout = 1000;

/** GET /health and /health/ready: can requests be accepted right now? */
export function health(deps: Dependencies): RequestHandler {
  return async (_request, response) => {
    const [database, temporal] = await Promise.all([
      works(() => deps.db.em().getConnection().execute('select 1')),
      works(() =>
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

/** GET /health/live: the process answers. */
export const live: RequestHandler = (_request, response) => {
  response.json({ status: 'ok', version });
};

async function works(check: () => Promise<unknown>): Promise<boolean> {
  try {
    await Promise.race([
      check(),
      new Promise((_resolve, reject) => setTimeout(() => reject(new Error('too slow')), checkTimeout).unref()),
    ]);
    return true;
  } catch {
    return false;
  }
}
