/** Mounts endpoints. Authenticates, counts and authorizes each request before its handler runs, and validates its body. */
import type { Express, Request, RequestHandler, Response } from 'express';
import { withDeadline } from '../../runtime/deadline.ts';
import { requestTimeout } from '../../runtime/timeouts.ts';
import { limitBody } from '../../schemas/body-limits.ts';
import type { Endpoint, Method } from '../../schemas/endpoint.ts';
import { endpoints } from '../../schemas/endpoints.ts';
import type { ApiKey } from '../../store/entities.ts';
import { Problem, rejectFailures } from '../../services/problem.ts';
import type { Validator } from '../../services/validate.ts';
import type { Dependencies } from '../dependencies.ts';
import { authenticate, authorize } from './authenticate.ts';
import { readConfirmedBody } from './confirmed-body.ts';
import type { Handlers } from './handler.ts';
import { limitKey } from './limit.ts';
import { noteDecision } from './request-facts.ts';

export interface Route {
  endpoint: Endpoint;
  handle: RequestHandler;
}

/** Mounts fixed paths before those with parameters, so that `/v2/artworks/selena` is not read as an id. */
export function mount(app: Express, routes: readonly Route[]): void {
  const byPath = Map.groupBy(routes, ({ endpoint }) => endpoint.path);
  const paths = [...byPath.keys()].sort((a, b) => Number(a.includes(':')) - Number(b.includes(':')));
  for (const path of paths) {
    const own = byPath.get(path) ?? [];
    const route = app.route(path);
    for (const { endpoint, handle } of own) route[endpoint.method.toLowerCase() as Lowercase<Method>](handle);
    route.all(refuseMethod(own.map(({ endpoint }) => endpoint.method)));
  }
}

export function refuseMethod(methods: readonly Method[]): RequestHandler {
  const allow = methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ');
  return () => {
    throw new Problem('method_not_allowed', { headers: { Allow: allow } });
  };
}

/** Returns the routes of all endpoints that no operation declares. */
export function endpointRoutes(deps: Dependencies, validator: Validator, handlers: Handlers): Route[] {
  return Object.entries<Endpoint>(endpoints).map(([name, endpoint]) => {
    // `Handlers` types each handler for its endpoint; `Object.entries` loses the name, and with it the type.
    const handler = handlers[name as keyof Handlers] as (call: ServedCall) => Promise<void> | void;
    return { endpoint, handle: serve(deps, validator, endpoint, handler) };
  });
}

/** The arguments of a handler, for any endpoint. */
interface ServedCall {
  request: Request;
  response: Response;
  params: Record<string, string>;
  /** Absent on public endpoints. */
  key?: ApiKey;
  /** Absent when the endpoint takes no JSON. */
  readBody?: () => Promise<unknown>;
}

/**
 * Returns the request handler of an endpoint, which runs all checks and then `handler`. Together, they end within
 * `requestTimeout`, not counting the time to receive the body.
 */
export function serve(
  deps: Dependencies,
  validator: Validator,
  endpoint: Endpoint,
  handler: (call: ServedCall) => Promise<void> | void,
): RequestHandler {
  const { body, bodyOptional: isOptional } = endpoint;
  const validate = body && validator.compile(body);
  const serveCall = async (request: Request, response: Response) => {
    if (endpoint.access === 'public') return handler({ request, response, params: readParameters(request) });
    const key = await authenticate(deps, request, response);
    await admit(deps, response, key, endpoint);
    const call: ServedCall = { request, response, params: readParameters(request), key };
    if (!body || !validate) return handler(call);
    await deps.bytesInFlight.hold(key, async (reserve) => {
      const readBody = async () => {
        const options = { limit: limitBody(body), reserve, isOptional };
        const read = await readConfirmedBody(deps, request, response, options);
        rejectFailures(validate(read));
        return read;
      };
      await handler({ ...call, readBody });
    });
  };
  return (request, response) => withDeadline(requestTimeout, () => serveCall(request, response));
}

/** Counts a request of a key, then checks that the key may send it. @throws Problem 429 or 403 */
export async function admit(deps: Dependencies, response: Response, key: ApiKey, endpoint: Endpoint): Promise<void> {
  deps.uses.countRequest(key.id, endpoint.operation ?? null, deps.now());
  await limitKey(deps, response, key, endpoint);
  authorize(deps, key, endpoint.access);
  noteDecision(response, 'allowed');
}

/** @throws Problem `not_found` for NUL, which no id contains and PostgreSQL does not accept */
function readParameters({ params }: Request): Record<string, string> {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => {
      if (typeof value !== 'string' || value.includes('\0')) throw new Problem('not_found');
      return [name, value];
    }),
  );
}
