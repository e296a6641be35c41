/** The HTTP server of the fakes of queue providers: routes and counts requests, and fails on demand. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { FakeFailure, FakeRequest, UpstreamFake } from './upstream-fake.ts';

/** The purpose of a request. `collect` reads the result of a finished job, or a file of it. */
export type Stage = 'submit' | 'poll' | 'collect' | 'cancel' | 'upload' | 'account';

export interface Exchange {
  method: string;
  /** Without the query. */
  path: string;
  headers: Record<string, string | undefined>;
  bytes: Buffer;
  /** The parsed bytes; undefined when they are not JSON. */
  json: unknown;
  /** URL of the fake, for links in its responses. */
  url: string;
  /** Whether `hold` was called, so that jobs stay unfinished. */
  isHeld: boolean;
  /** The failure that the provider's API should return. Failures of the connection have been handled before. */
  failure: FakeFailure | null;
}

export interface FakeResponse {
  status: number;
  headers?: Record<string, string>;
  /** Bytes are sent unchanged, any other value as JSON. */
  body: unknown;
}

export interface ProviderApi {
  stageOf(method: string, path: string): Stage | null;
  /** Returns the stage at which a failure occurs unless the test names another. */
  defaultStage(failure: FakeFailure): Stage;
  respond(stage: Stage | null, exchange: Exchange): Promise<FakeResponse>;
}

const counted: Partial<Record<Stage, keyof UpstreamFake['counts']>> = {
  submit: 'submissions',
  poll: 'reads',
  cancel: 'cancels',
  upload: 'uploads',
};

interface PlannedFailure {
  failure: FakeFailure;
  at: Stage;
  /** Requests that still fail. */
  times: number;
  about: string | null;
}

interface FailOptions {
  times?: number;
  at?: 'submit' | 'poll' | 'collect' | 'cancel';
  /** Fails only requests whose body contains this text, in addition to a failure for all requests. */
  about?: string | null;
}

interface TimedRequest extends FakeRequest {
  /** Epoch milliseconds of its arrival. */
  at: number;
}

export interface QueueFake extends UpstreamFake {
  readonly requests: TimedRequest[];
  fail(failure: FakeFailure | null, options?: FailOptions): void;
}

export async function startQueueFake({ stageOf, defaultStage, respond }: ProviderApi): Promise<QueueFake> {
  const counts = { submissions: 0, reads: 0, cancels: 0, uploads: 0 };
  const submittedAt: number[] = [];
  const requests: TimedRequest[] = [];
  let plans: PlannedFailure[] = [];
  let isHeld = false;

  const due = (stage: Stage | null, body: string): FakeFailure | null => {
    const plan = plans.find(({ at, times, about }) => at === stage && times > 0 && body.includes(about ?? ''));
    if (!plan) return null;
    plan.times--;
    return plan.failure;
  };

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const at = Date.now();
    const { method = 'GET', headers } = request;
    const path = new URL(request.url ?? '/', url).pathname;
    const bytes = await buffer(request);
    const stage = stageOf(method, path);
    const name = stage && counted[stage];
    if (name) counts[name]++;
    if (stage === 'submit') submittedAt.push(Date.now());
    const fields = Object.fromEntries(Object.entries(headers).map(([key, value]) => [key, value?.toString()]));
    const json = jsonIn(bytes);
    requests.push({ path, headers: fields, body: json ?? bytes, at });
    const failure = due(stage, bytes.toString('utf8'));
    const exchange = { method, path, headers: fields, bytes, json, url, isHeld, failure };
    const fail = failure && onWire[failure];
    if (fail) fail(response);
    else send(await respond(stage, exchange), response, failure === 'cut');
  }

  const server = createServer((request, response) => {
    // Some tests disconnect in the middle of a request.
    serve(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    counts,
    submittedAt,
    requests,
    fail(failure, { times = Infinity, at, about = null } = {}) {
      plans = plans.filter((plan) => plan.about !== about);
      if (failure) plans.push({ failure, times, at: at ?? defaultStage(failure), about });
    },
    hold: () => void (isHeld = true),
    release: () => void (isHeld = false),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const page = '<!doctype html><title>Bad gateway</title><h1>Bad gateway</h1>';

const html = (status: number) => (response: ServerResponse) =>
  response.writeHead(status, { 'content-type': 'text/html' }).end(page);

const onWire: Partial<Record<FakeFailure, (response: ServerResponse) => unknown>> = {
  html: html(502),
  'wrong-type': html(200),
  malformed: (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"id": "half of'),
  redirect: (response) => response.writeHead(302, { location: 'http://127.0.0.1:9/elsewhere' }).end(),
  reset: (response) => response.socket?.resetAndDestroy(),
  silence: () => undefined,
};

function send({ status, headers, body }: FakeResponse, response: ServerResponse, isCut: boolean): void {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': bytes.length, ...headers });
  if (isCut) response.write(bytes.subarray(0, bytes.length >> 1), () => response.socket?.destroy());
  else response.end(bytes);
}

function jsonIn(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8')) as unknown;
  } catch {
    return undefined;
  }
}
