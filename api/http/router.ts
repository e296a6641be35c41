/** Mounts endpoints: key, limit, access, body, validation, then the handler. A path's other methods are 405. */
import { isUtf8 } from 'node:buffer';
import { promisify } from 'node:util';
import express, { type Express, type Request, type RequestHandler, type Response } from 'express';
import type { Endpoint, Method } from '../../schemas/endpoint.ts';
import type { ApiKey } from '../../store/entities.ts';
import type { EarlierArtwork, Idempotency } from '../../store/idempotency.ts';
import { authenticate, authorize } from './authenticate.ts';
import type { Dependencies } from '../dependencies.ts';
import type { Call, Handler } from './handler.ts';
import { type Intake, nothingTaken } from '../../services/intake.ts';
import { limitKey } from './limit.ts';
import { type FieldError, Problem } from '../../services/problem.ts';
import { checkStructure } from './json-structure.ts';
import { checkShape } from '../../services/body-checks.ts';
import type { Validator } from '../../services/validate.ts';

export interface Route {
  endpoint: Endpoint;
  /** Looks at the query and the headers. @returns all that is wrong with them */
  refuse?(request: Request): FieldError[];
  /** Tells by what a repetition of this request can be known. */
  identify?(request: Request, body: Record<string, unknown>): Idempotency | null;
  /** Looks for the first request, by the headers alone: while this one is counted and read, so that it costs no time. */
  recall?(request: Request, key: ApiKey): Promise<EarlierArtwork | null>;
  /** Answers a repetition as the first request was answered. @returns whether it was one */
  replay?(
    call: Pick<Call, 'request' | 'response' | 'key'>,
    idempotency: Idempotency,
    earlier: EarlierArtwork | null,
  ): Promise<boolean>;
  /**
   * Looks at what a body refers to, also of one with other faults: a client reads all of them at once.
   * @param faults by the endpoint's schema
   */
  takeIn?(key: ApiKey, body: Record<string, unknown>, faults: readonly FieldError[]): Promise<Intake>;
  handler: Handler;
}

/** Bytes of a body, decompressed. */
const bodyLimit = 30 * 1024 * 1024;

/** Enough to mend a request by; a hostile body must not be answered by a larger one. */
const mostFailures = 100;

const parseJson = promisify(
  express.json({
    limit: bodyLimit,
    strict: false,
    type: ['json', '+json'],
    // The parser would put U+FFFD in place of what it cannot read, and a prompt would be another one.
    verify: (_request, _response, bytes, encoding) => {
      const isText = encoding === 'utf-8' && isUtf8(bytes);
      const failure = isText ? checkStructure(bytes) : { path: '', rule: 'utf8', message: 'is not valid UTF-8' };
      if (failure) throw new Problem('validation_failed', { fields: [failure] });
    },
  }),
);

interface Context {
  deps: Dependencies;
  validator: Validator;
}

/** Fixed paths go before those with parameters, so that `/v2/artworks/selena` is never taken for an id. */
export function mount(app: Express, routes: readonly Route[], context: Context): void {
  const byPath = Map.groupBy(routes, ({ endpoint }) => endpoint.path);
  const paths = [...byPath.keys()].sort((a, b) => Number(a.includes(':')) - Number(b.includes(':')));
  for (const path of paths) {
    const own = byPath.get(path) ?? [];
    const route = app.route(path);
    for (const entry of own) {
      const method = entry.endpoint.method.toLowerCase() as Lowercase<Method>;
      route[method](pipeline(entry, context));
    }
    route.all(refuseMethod(own.map(({ endpoint }) => endpoint.method)));
  }
}

export function refuseMethod(methods: readonly Method[]): RequestHandler {
  const allow = methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ');
  return () => {
    throw new Problem('method_not_allowed', { headers: { Allow: allow } });
  };
}

function pipeline(
  { endpoint, refuse, identify, recall, replay, takeIn, handler }: Route,
  { deps, validator }: Context,
): RequestHandler {
  const validate = endpoint.body && validator.compile(endpoint.body);
  const { access } = endpoint;
  return async (request, response) => {
    const key = access === 'public' ? noKey : await authenticate(deps, request, response);
    const recalled = recall?.(request, key);
    // Whoever needs it waits for it below.
    recalled?.catch(() => undefined);
    if (access !== 'public') {
      deps.uses.countRequest(key.id, endpoint.operation ?? null, deps.now());
      await limitKey(deps, response, key, endpoint);
      authorize(key, access);
    }
    const call = { request, response, key, idempotency: null };
    if (!validate) return handler({ ...call, body: {}, intake: nothingTaken({}) });
    const sent = await readBody(request, response, endpoint.bodyOptional ?? false);
    const faults = validate(sent);
    const failures = [...faults, ...(refuse?.(request) ?? [])];
    // Whatever else it is, its failures stand already.
    const body = (typeof sent === 'object' ? (sent ?? {}) : {}) as Record<string, unknown>;
    // Before it is looked at what the body refers to: that may be gone by now.
    const idempotency = failures.length === 0 ? (identify?.(request, body) ?? null) : null;
    if (idempotency && (await replay?.(call, idempotency, (await recalled) ?? null))) return;
    const known = new Set(failures.map(({ path }) => path));
    const intake = (await takeIn?.(key, body, faults)) ?? nothingTaken(body);
    failures.push(...intake.failures.filter(({ path }) => !known.has(path)));
    if (failures.length > 0) throw new Problem('validation_failed', { fields: failures.slice(0, mostFailures) });
    return handler({ ...call, body, intake, idempotency });
  };
}

/** Handlers of public endpoints do not look at it. */
const noKey = undefined as unknown as ApiKey;

/** @throws Problem when there is no JSON body, or too much of it to look at; body-parser's own errors go through */
async function readBody(request: Request, response: Response, optional: boolean): Promise<unknown> {
  const empty = request.get('transfer-encoding') === undefined && !Number(request.get('content-length') ?? 0);
  if (empty && optional) return {};
  if (!empty && !request.is(['json', '+json'])) throw new Problem('unsupported_media_type');
  if (empty) {
    const message = 'is missing. Send a JSON object.';
    throw new Problem('validation_failed', { fields: [{ path: '', rule: 'required', message }] });
  }
  if (Number(request.get('content-length')) > bodyLimit) throw new Problem('payload_too_large');
  await Promise.race([parseJson(request, response), outgrown(request)]);
  const body = request.body as unknown;
  const shape = checkShape(body);
  if (shape) throw new Problem('validation_failed', { fields: [shape] });
  return body;
}

/** Rejects with the first byte over the limit: the parser would read on to the end before it says so. */
function outgrown(request: Request): Promise<never> {
  let bytes = 0;
  return new Promise((_resolve, reject) => {
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > bodyLimit) reject(new Problem('payload_too_large'));
    });
  });
}
