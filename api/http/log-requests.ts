/** Every request gets an id and one line in the log. Neither holds anything that a client sent. */
import type { IncomingMessage } from 'node:http';
import type { Response } from 'express';
import { pinoHttp } from 'pino-http';
import type { Dependencies } from '../dependencies.ts';

const saneId = /^[A-Za-z0-9._~-]{1,128}$/;

export function logRequests(deps: Dependencies) {
  return pinoHttp({
    logger: deps.log,
    genReqId(request, response) {
      const given = request.headers['x-request-id'];
      const id = typeof given === 'string' && saneId.test(given) ? given : deps.newId('req');
      response.setHeader('X-Request-Id', id);
      return id;
    },
    // Also on what is logged while the request is answered.
    quietReqLogger: true,
    customAttributeKeys: { reqId: 'requestId' },
    customProps: (request, response) => aboutArtwork(request, response as Response),
    customLogLevel: (_request, response) => (response.statusCode >= 500 ? 'error' : 'info'),
    serializers: {
      // Paths, never queries: those of image links are signatures.
      req: ({ method, url }: { method: string; url: string }) => ({ method, path: url.split('?')[0] }),
      res: ({ statusCode }: { statusCode: number }) => ({ statusCode }),
    },
    // Errors are logged where they are answered, with their cause.
    customErrorObject: (_request, _response, _error, line: { err?: unknown }) => ({ ...line, err: undefined }),
  });
}

/** The artwork that a path names, or that the request has made. */
function aboutArtwork({ url }: IncomingMessage, { locals }: Response): object {
  const artworkId: unknown = locals['artworkId'] ?? /\/(art_\w+)/.exec(url ?? '')?.[1];
  return artworkId === undefined ? {} : { artworkId };
}
