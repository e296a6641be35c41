/** Everything that a client sends: HTTP itself, headers, paths, queries and bodies. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { readRange } from '../../../api/http/byte-range.ts';
import { respondToBrokenRequests } from '../../../api/http/broken-request.ts';
import { addressOf, networkOf } from '../../../api/http/client-address.ts';
import { readCreationOptions } from '../../../api/http/creation-options.ts';
import { pageOf } from '../../../api/http/page.ts';
import { addVersionPrefix, escapeInvalidEncoding } from '../../../api/http/paths.ts';
import { readJsonBody } from '../../../api/http/read-json-body.ts';
import { withFileBody } from '../../../api/http/read-file-body.ts';
import { mount } from '../../../api/http/router.ts';
import { hasSeenEnd, resumeFrom } from '../../../api/stream/events.ts';
import { viewArtwork } from '../../../schemas/artwork-view.ts';
import { textBody } from '../../../schemas/body-limits.ts';
import { allEndpoints, findOperations } from '../../../services/operations.ts';
import { createLogger } from '../../../runtime/log.ts';
import { Problem } from '../../../services/problem.ts';
import { createValidator } from '../../../services/validate.ts';
import { preferredWait } from '../../../services/wait-for-artwork.ts';
import { bytesOf, type Parsers, type Table } from '../parser.ts';
import { app, requestOf } from '../requests.ts';

const mayThrow = (error: unknown) => error instanceof Problem && error.code !== 'internal_error';
/** Node rejects requests with more bytes of headers. */
const longest = 16 * 1024;

const header = (name: string, read: (request: ReturnType<typeof requestOf>) => unknown) => (input: string) =>
  read(requestOf({ headers: { [name]: input } }));

const form = [
  '--b\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\nContent-Type: image/png\r\n\r\nbytes\r\n',
  '--b\r\nContent-Disposition: form-data; name="other"; filename*=UTF-8\'\'%e2%82%ac\r\n\r\nvalue\r\n--b--\r\n',
].join('');

/** Express passes on a request whose path no route has. */
const noRoute = new Error('no route');

const processing = viewArtwork(
  {
    id: 'art_1',
    status: 'PROCESSING',
    operation: 'selena',
    environment: 'live',
    input: {},
    metadata: {},
    charged: 0,
    createdAt: new Date(0),
    expiresAt: new Date(1),
  },
  [],
  { make: () => '' },
);

export const open: Table['open'] = async () => {
  const operations = await findOperations();
  const endpoints = allEndpoints(operations);
  const bodied = endpoints.filter(({ body }) => body);
  const validator = createValidator({ allowedHosts: [], webhookProtocols: ['http:', 'https:'] });
  const validators = bodied.flatMap(({ body }) => (body ? [validator.compile(body)] : []));
  app.set('trust proxy', ['loopback', '10.0.0.0/8']);
  app.use(addVersionPrefix, escapeInvalidEncoding);
  mount(
    app,
    endpoints.map((endpoint) => ({ endpoint, handle: ({ params }) => void Object.values(params).join() })),
  );
  const server = createServer((_request, response) => response.writeHead(204).end());
  server.keepAliveTimeout = 10;
  respondToBrokenRequests(server, { newId: () => 'req_1', log: createLogger('fuzz', 'silent') });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;

  const parsers: Parsers = {
    'the header Range': {
      modules: ['api/http/byte-range.ts'],
      examples: ['bytes=0-499', 'bytes=-500', 'bytes=9500-', 'bytes=0-0,-1'],
      longest,
      parse: header('range', (request) => readRange(request, { size: 10_000, etag: '"a"' })),
    },
    'the header If-Range': {
      modules: ['api/http/byte-range.ts'],
      examples: ['"a"', 'Wed, 21 Oct 2026 07:28:00 GMT'],
      longest,
      parse: header('if-range', (request) => readRange(request, { size: 10_000, etag: '"a"' })),
    },
    // Express reads it.
    'the header If-None-Match': {
      modules: [],
      examples: ['"a"', 'W/"a", "b"', '*'],
      longest,
      parse: header('if-none-match', (request) => request.res?.set('ETag', '"a"') && request.fresh),
    },
    'the header Prefer': {
      modules: ['services/wait-for-artwork.ts'],
      examples: ['wait=10', 'respond-async, wait="5"', 'handling=lenient; wait = 60'],
      longest,
      parse: preferredWait,
    },
    'the header Idempotency-Key': {
      modules: ['api/http/creation-options.ts'],
      examples: ['9b2b1a52-7a7c-4f25-9d0e-1d6f3a1c2b4e'],
      longest,
      parse: header('idempotency-key', readCreationOptions),
    },
    'the header Last-Event-ID': {
      modules: ['api/stream/events.ts'],
      examples: ['0', '17', 'end'],
      longest,
      parse: (input) => [hasSeenEnd(input), resumeFrom(input, { view: processing, progress: null })],
    },
    'the header X-Forwarded-For': {
      modules: ['api/http/client-address.ts'],
      examples: ['203.0.113.7, 10.0.0.1', '2001:db8::1', '::ffff:192.0.2.1', '"[::1]:80"'],
      longest,
      parse: header('x-forwarded-for', (request) => networkOf(addressOf(request))),
    },
    'the header Content-Type of a body': {
      modules: ['api/http/read-json-body.ts'],
      examples: ['application/json; charset="utf-8"', 'application/problem+json'],
      seeds: ['text/plain'],
      longest,
      mayThrow,
      parse: (input) => readBody({ 'content-type': input }, '{}'),
    },
    'the header Content-Type of an upload': {
      modules: ['api/http/read-file-body.ts'],
      examples: ['multipart/form-data; boundary=b', 'image/png'],
      seeds: ["multipart/form-data; boundary*=utf-8''b"],
      longest,
      share: 1 / 4,
      mayThrow,
      parse: (input) => upload(input, form),
    },
    'the query of a request': {
      modules: ['api/http/page.ts', 'api/http/creation-options.ts'],
      examples: ['limit=20&cursor=art_01KAJ3V8C0Q5M2X7ZB4N9TDWEH', 'dryRun=true', 'from=2026-01-01&%66rom=1'],
      longest,
      mayThrow,
      parse(input) {
        const request = requestOf({ url: `/v2/artworks?${input}` });
        readCreationOptions(request);
        pageOf(request);
      },
    },
    'the path of a request': {
      modules: ['api/http/paths.ts', 'api/http/router.ts'],
      examples: ['/v2/artworks/art_01KAJ3V8C0Q5M2X7ZB4N9TDWEH/events', '/images/art_1/%69mage-1.png'],
      seeds: ['http://example.com/organizations/org_1/api-keys/key_1?a=b'],
      longest,
      mayThrow: (error) => mayThrow(error) || error === noRoute,
      parse: (input) =>
        new Promise((resolve, reject) => {
          const request = requestOf({ url: `/${input.replace(/^\//, '')}` });
          app(request, request.res as Parameters<typeof app>[1], (error: unknown) =>
            reject(error instanceof Error ? error : noRoute),
          );
          resolve(null);
        }),
    },
    'a JSON body': {
      modules: ['api/http/json-structure.ts', 'api/http/read-json-body.ts', 'services/body-checks.ts'],
      examples: [
        ...bodied.map(({ bodyExample }) => JSON.stringify(bodyExample ?? {})),
        '{"prompt":"\\u00e9\\ud83e\\udd8a"}',
      ],
      longest: 1024 * 1024,
      mayThrow,
      parse: (input) => readBody({ 'content-type': 'application/json' }, input),
    },
    'the fields of a body': {
      modules: ['services/validate.ts', 'services/overlong-texts.ts', 'services/body-checks.ts'],
      examples: bodied.map(({ bodyExample }) => JSON.stringify(bodyExample ?? {})),
      mayThrow,
      async parse(input) {
        const text = await readBody({ 'content-type': 'application/json' }, Buffer.from(input).toString('latin1'));
        for (const validate of validators) validate(structuredClone(text));
      },
    },
    'a multipart form': {
      modules: ['api/http/read-file-body.ts'],
      examples: [form],
      share: 1 / 2,
      mayThrow,
      parse: (input) => upload('multipart/form-data; boundary=b', input),
    },
    'the bytes of a connection': {
      modules: ['api/http/broken-request.ts'],
      examples: [
        'GET /v2/artworks HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer a\r\n\r\n',
        'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5;a=b\r\nhello\r\n0\r\nTrailer: a\r\n\r\n',
        'GET / HTTP/1.0\r\nConnection: keep-alive\r\nUpgrade: h2c\r\nContent-Length: 0\r\n\r\nGET / HTTP/1.1\r\n\r\n',
      ],
      share: 1 / 4,
      async parse(input) {
        const socket = connect(port, '127.0.0.1').on('error', () => undefined);
        socket.end(bytesOf(input));
        socket.resume();
        // `once` would throw the error of the connection.
        await new Promise((resolve) => socket.once('close', resolve));
      },
    },
  };
  return { parsers, close: async () => void (await once(server.close(), 'close')) };
};

function readBody(headers: Record<string, string>, text: string): Promise<unknown> {
  const request = requestOf({ method: 'POST', headers, body: bytesOf(text) });
  return readJsonBody(request, { limit: { ...textBody, bytes: 2 ** 20 }, reserve: () => undefined });
}

async function upload(type: string, text: string): Promise<void> {
  const request = requestOf({ method: 'POST', headers: { 'content-type': type }, body: bytesOf(text) });
  const admit = () => Promise.resolve();
  await withFileBody(request, admit, ({ size }) => Promise.resolve(size));
}
