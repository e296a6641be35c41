/**
 * HTTP below a provider's own client library. Sends each request once, limits the size of responses, and fails with
 * errors that the library does not retry.
 */
import { Agent, type buildConnector, fetch, type RequestInit } from 'undici';
import { EngineError } from '../contract/index.ts';
import { connectionFailure, type Failure, failureOf, responseFailure, unexpectedFailure } from './failures.ts';
import { encodeForm } from './form-body.ts';

/** Bytes. Large enough for an image as a data URI. */
const largestResponse = 64 * 1024 * 1024;

/** A response with an error status. */
export class ErrorResponse extends Error {
  override readonly name = 'ErrorResponse';
  readonly status: number;
  // Private fields are left out when an error is printed: they contain the provider's words.
  readonly #headers: Readonly<Record<string, string>>;
  readonly #body: Readonly<Record<string, unknown>>;

  constructor(status: number, headers: Record<string, string>, body: Record<string, unknown>) {
    super(`HTTP ${status}`);
    this.status = status;
    this.#headers = headers;
    this.#body = body;
  }

  /** Names in lower case. */
  get headers(): Readonly<Record<string, string>> {
    return this.#headers;
  }

  /** The body's JSON; empty when the body is not JSON. */
  get body(): Readonly<Record<string, unknown>> {
    return this.#body;
  }
}

/** No response, or an incomplete one. Has no `cause`, because client libraries retry on certain causes. */
class NoResponse extends Error {
  override readonly name = 'NoResponse';
  readonly #reason: unknown;

  constructor(reason: unknown) {
    super('No response');
    this.#reason = reason;
  }

  get reason(): unknown {
    return this.#reason;
  }
}

export interface SendOnce {
  /** For the client library. Does not follow redirects. */
  fetch: typeof globalThis.fetch;
  close(): Promise<void>;
}

/** @param connect opens the connections; default: to any address */
export function createSendOnce(connect?: buildConnector.connector): SendOnce {
  // The caller's signal is the only time limit.
  const limits = { headersTimeout: 0, bodyTimeout: 0, maxResponseSize: largestResponse };
  const agent = new Agent({ ...limits, ...(connect && { connect }) });
  // A library that retries passes the same request object again; it gets the result of the first attempt.
  const sent = new WeakMap<object, Promise<Response>>();
  const sendOrRepeat = (url: unknown, init: object = {}) => {
    const response = sent.get(init) ?? send(String(url), init, agent);
    sent.set(init, response);
    return response;
  };
  return { fetch: sendOrRepeat, close: () => agent.destroy() };
}

async function send(url: string, init: RequestInit, dispatcher: Agent): Promise<Response> {
  const response = await fetch(url, { ...(await encodeForm(init)), dispatcher, redirect: 'manual' }).catch(noResponse);
  const headers = Object.fromEntries(response.headers);
  if (!response.ok) {
    throw new ErrorResponse(response.status, headers, parseObject(await response.text().catch(() => '')));
  }
  const body = await response.arrayBuffer().catch(noResponse);
  // The body is decoded, so its length and encoding have changed.
  const { 'content-length': _, 'content-encoding': __, ...rest } = headers;
  return new Response(body.byteLength ? body : null, { status: response.status, headers: rest });
}

function noResponse(reason: unknown): never {
  throw new NoResponse(reason);
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/**
 * Classifies an error of a client library that uses the `fetch` above.
 * @param failureInBody returns the failure that a body names, where that is more exact than the status
 */
export function explain(
  who: string,
  error: unknown,
  failureInBody: (response: ErrorResponse) => Failure | undefined,
): EngineError {
  if (error instanceof EngineError) return error;
  if (error instanceof ErrorResponse) return responseFailure(who, error, failureInBody(error));
  if (error instanceof NoResponse) return connectionFailure(who, error.reason) ?? unexpectedFailure(error.reason);
  // The library could not parse a response.
  if ((Object(error) as { name?: unknown }).name === 'SyntaxError') return failureOf(who, 'unreadable');
  return unexpectedFailure(error);
}
