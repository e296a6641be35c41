/** Every request gets an id and one line in the log. Neither holds anything that a client sent. */
import { pinoHttp } from 'pino-http';
import type { Dependencies } from './dependencies.ts';

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
    customLogLevel: (_request, response) => (response.statusCode >= 500 ? 'error' : 'info'),
    serializers: {
      // Paths, never queries: those of image links are signatures.
      req: ({ id, method, url }: { id: string; method: string; url: string }) => ({
        id,
        method,
        path: url.split('?')[0],
      }),
      res: ({ statusCode }: { statusCode: number }) => ({ statusCode }),
    },
    // Errors are logged where they are answered, with their cause.
    customErrorObject: () => ({}),
  });
}
