/** Gives every request an id and one line in the log, without anything personal that the client sent. */
import type { IncomingMessage } from 'node:http';
import type { Response } from 'express';
import { pinoHttp } from 'pino-http';
import { serializeError } from '../../runtime/log.ts';
import type { Dependencies } from '../dependencies.ts';

const acceptableId = /^[A-Za-z0-9._~-]{1,128}$/;

export function logRequests(deps: Dependencies) {
  return pinoHttp({
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
    customProps: (request, response) => artworkOf(request, response as Response),
    customLogLevel: (_request, response) => (response.statusCode >= 500 ? 'error' : 'info'),
    serializers: {
      // pino-http puts its own serializer first, which keeps the statement and the values of a database error.
      err: (error: { raw?: unknown } | null) => serializeError(error?.raw),
      // The path without its query, because the query of an image link holds its signature.
      req: ({ method, url }: { method: string; url: string }) => ({ method, path: url.split('?')[0] }),
      res: ({ statusCode }: { statusCode: number }) => ({ statusCode }),
    },
    // The error handler logs errors, with their cause.
    customErrorObject: (_request, _response, _error, line: { err?: unknown }) => ({ ...line, err: undefined }),
  });
}

/** Returns the id of the artwork that the path names or that the request created. */
function artworkOf({ url }: IncomingMessage, { locals }: Response): object {
  const artworkId: unknown = locals['artworkId'] ?? /\/(art_\w+)/.exec(url ?? '')?.[1];
  return artworkId === undefined ? {} : { artworkId };
}
