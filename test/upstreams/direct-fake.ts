/** The HTTP server of the fakes of direct providers: handles requests, fails on demand, and counts requests. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FakeFailure, FakeRequest, UpstreamFake } from './upstream-fake.ts';

/** The body is parsed JSON, or the fields of a form; a field that occurs several times is a list. */
export interface Received extends FakeRequest {
  method: string;
}

export interface FakeResponse {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
}

/** The kind of result that `produce` returns: an image, or one of the faulty results. */
export type Product = 'huge-image' | 'not-an-image' | 'no-image' | 'private-link' | 'dead-link' | 'image';

/** The part of a fake that is different for each provider. */
export interface ProviderApi {
  /** Base path, including the version: `/v1`. */
  base: string;
  /** Returns the response to a wrong key, path or body; null for a valid request. */
  refuse(request: Received): FakeResponse | null | Promise<FakeResponse | null>;
  /** Returns the response to a request that costs nothing, such as a list of models; null for any other request. */
  freeRead(request: Received): FakeResponse | null;
  /** Returns the response with the product; null when the API cannot return it. */
  produce(request: Received, product: Product): Promise<FakeResponse | null>;
  /** The provider's error response for each failure. */
  failures: Record<ApiFailure, FakeResponse>;
}

export interface DirectFake extends UpstreamFake {
  /** Forgets failures, counts and requests. */
  reset(): void;
  /** Sets the response to all further requests; null restores the normal responses. */
  reply(response: FakeResponse | null): void;
  /** Resolves when a client has hung up on a request. */
  hungUp(): Promise<void>;
}

const apiFailures = [
  ...(['bad-request', 'bad-key', 'forbidden', 'unpaid', 'not-found', 'moderation', 'busy', 'quota'] as const),
  ...(['broken', 'unavailable', 'gateway-timeout'] as const),
] as const;
export type ApiFailure = (typeof apiFailures)[number];

const json = 'application/json';

const products: readonly string[] = ['huge-image', 'not-an-image', 'no-image', 'private-link', 'dead-link'];
const isApiFailure = (failure: FakeFailure): failure is ApiFailure =>
  (apiFailures as readonly string[]).includes(failure);
const isProduct = (failure: FakeFailure): failure is FakeFailure & Product => products.includes(failure);

export async function startDirectFake(api: ProviderApi): Promise<DirectFake> {
  const counts = { submissions: 0, reads: 0, cancels: 0, uploads: 0 };
  const submittedAt: number[] = [];
  const requests: Received[] = [];
  let left = 0;
  let failing: FakeFailure | null = null;
  let instead: FakeResponse | null = null;
  let held = Promise.withResolvers<void>();
  held.resolve();
  let gone = Promise.withResolvers<void>();

  async function act(request: Received, response: ServerResponse): Promise<void> {
    const free = api.freeRead(request);
    if (free) counts.reads++;
    else {
      counts.submissions++;
      submittedAt.push(Date.now());
    }
    const refused = await api.refuse(request);
    if (!free) await held.promise;
    if (refused) return send(response, refused);
    const failure = failing;
    if (failure && --left <= 0) failing = null;
    if (instead) return send(response, instead);
    if (failure && !isProduct(failure)) return fail(failure, request, response);
    const produced = free ?? (await api.produce(request, failure ?? 'image'));
    if (produced) send(response, produced);
  }

  async function fail(failure: FakeFailure, request: Received, response: ServerResponse): Promise<void> {
    if (isApiFailure(failure)) return send(response, api.failures[failure]);
    const page = '<html><body><h1>502 Bad Gateway</h1> upstream org-4711</body></html>';
    if (failure === 'html') response.writeHead(502, { 'content-type': 'text/html' }).end(page);
    else if (failure === 'wrong-type') response.writeHead(200, { 'content-type': 'text/html' }).end(page);
    else if (failure === 'malformed') response.writeHead(200, { 'content-type': json }).end('{"data":[{"b64_');
    else if (failure === 'redirect') response.writeHead(302, { location: `${url()}/elsewhere` }).end();
    else if (failure === 'reset') response.socket?.resetAndDestroy();
    else if (failure === 'cut') {
      const text = JSON.stringify((api.freeRead(request) ?? (await api.produce(request, 'image')))?.body);
      response.writeHead(200, { 'content-type': json, 'content-length': Buffer.byteLength(text) });
      response.write(text.slice(0, text.length / 2), () => response.socket?.destroy());
    }
    // All other failures get no response, including failures of jobs, which a direct provider does not have.
  }

  const server = createServer((incoming, response) => {
    response.on('close', () => void (response.writableFinished || gone.resolve()));
    void receive(incoming).then((request) => {
      requests.push(request);
      return act(request, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const url = () => `${origin}${api.base}`;

  return {
    url: url(),
    counts,
    submittedAt,
    requests,
    fail(failure, { times = Infinity } = {}) {
      failing = failure;
      left = times;
    },
    reply: (response) => void (instead = response),
    hungUp: () => gone.promise,
    hold: () => void (held = Promise.withResolvers()),
    release: () => held.resolve(),
    reset() {
      failing = instead = null;
      held.resolve();
      gone = Promise.withResolvers();
      requests.length = submittedAt.length = 0;
      Object.assign(counts, { submissions: 0, reads: 0, cancels: 0, uploads: 0 });
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function send(response: ServerResponse, { status, body, headers }: FakeResponse): void {
  const isFile = body instanceof Uint8Array;
  const contentType = isFile ? 'image/png' : json;
  response.writeHead(status, { 'content-type': contentType, ...headers }).end(isFile ? body : JSON.stringify(body));
}

async function receive(incoming: IncomingMessage): Promise<Received> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const { method = '', url: path = '' } = incoming;
  const headers = incoming.headers as Record<string, string | undefined>;
  return { method, path, headers, body: await read(Buffer.concat(chunks), headers['content-type'] ?? '') };
}

async function read(bytes: Buffer, contentType: string): Promise<unknown> {
  if (bytes.length === 0) return null;
  if (!contentType.startsWith('multipart/form-data')) {
    try {
      return JSON.parse(bytes.toString('utf8')) as unknown;
    } catch {
      return undefined;
    }
  }
  const form = await new Response(new Uint8Array(bytes), { headers: { 'content-type': contentType } }).formData();
  const names = [...new Set(form.keys())];
  return Object.fromEntries(names.map((name) => [name, one(form.getAll(name))]));
}

const one = <T>(values: T[]): T | T[] | undefined => (values.length > 1 ? values : values[0]);
