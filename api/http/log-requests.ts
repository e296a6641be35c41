/**
 * Gives every request an id and one line in the log: the key, the organization, the address, the route and the decision,
 * so that an incident can be reconstructed. The client chooses only the path and, if it wants, the request id.
 */
import type { Request, RequestHandler, Response } from 'express';
import { pinoHttp } from 'pino-http';
import { serializeError } from '../../runtime/log.ts';
import type { Dependencies } from '../dependencies.ts';
import { factsOf, noteAddress } from './request-facts.ts';

const acceptableId = /^[A-Za-z0-9._~-]{1,128}$/;

export function logRequests(deps: Dependencies): RequestHandler {
  const log = pinoHttp<Request, Response>({
    logger: deps.log,
    genReqId(request, response) {
      const given = request.headers['x-request-id'];
      const id = typeof given === 'string' && acceptableId.test(given) ? given : deps.newId('req');
      response.setHeader('X-Request-Id', id);
      return id;
    },
    // Adds the request id to lines that handlers log.
    quietReqLogger: true,
    customAttributeKeys: { reqId: 'requestId' },
    customLogLevel: (_request, response) => (response.statusCode >= 500 ? 'error' : 'info'),
    serializers: {
      // pino-http puts its own serializer first, which keeps the statement and the values of a database error.
      err: (error: { raw?: unknown } | null) => serializeError(error?.raw),
      req: ({ method, url }: { method: string; url: string }) => ({ method, path: loggedPath(url) }),
      res: ({ statusCode }: { statusCode: number }) => ({ statusCode }),
    },
    customSuccessObject: (request, response, line: object) => ({ ...line, ...describe(request, response) }),
    // The error handler logs errors, with their cause.
    customErrorObject: (request, response, _error, line: object) => ({
      ...line,
      ...describe(request, response),
      err: undefined,
    }),
  });
  return (request, response, next) => {
    noteAddress(request, response);
    log(request, response, next);
  };
}

/** Returns a path without its query, which holds the signature of an image link, and without keys sent by mistake. */
const loggedPath = (url: string): string => (url.split('?')[0] ?? '').replaceAll(/(at[lt]_\w{6})\w+/g, '$1…');

const describe = (request: Request, response: Response) => ({
  ...factsOf(request, response),
  ...artworkOf(request, response),
});

/** Returns the id of the artwork that the path names or that the request created. */
function artworkOf({ originalUrl }: Request, { locals }: Response): object {
  const artworkId: unknown = locals['artworkId'] ?? /\/(art_\w+)/.exec(loggedPath(originalUrl))?.[1];
  return artworkId === undefined ? {} : { artworkId };
}
