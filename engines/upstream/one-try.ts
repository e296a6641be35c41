/** HTTP below a provider's own client: what goes out goes out once, is bounded, and fails as nothing that a client tries again. */
import { Agent, fetch, type RequestInit } from 'undici';
import { EngineError } from '../contract/index.ts';
import { answered, type Failure, failureOf, unanswered, unforeseen } from './failures.ts';

/** Bytes: a longer answer is none. An image that is answered as a data URI has room. */
const longestAnswer = 64 * 1024 * 1024;

/** An answer with another status than success. */
export class ErrorAnswer extends Error {
  override readonly name = 'ErrorAnswer';
  readonly status: number;
  // Hidden from whoever prints the error: they are the provider's words.
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

  /** Its JSON; empty where it is none. */
  get body(): Readonly<Record<string, unknown>> {
    return this.#body;
  }
}

/** No answer, or not all of it. Has no `cause`: clients take what they see there for a reason to try again. */
class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
  readonly #reason: unknown;

  constructor(reason: unknown) {
    super('No answer');
    this.#reason = reason;
  }

  get reason(): unknown {
    return this.#reason;
  }
}

export interface OneTry {
  /** To be given to the client. Redirects are not followed. */
  fetch: typeof globalThis.fetch;
  close(): Promise<void>;
}

export function createOneTry(): OneTry {
  // The caller's signal is the only timeout.
  const agent = new Agent({ headersTimeout: 0, bodyTimeout: 0, maxResponseSize: longestAnswer });
  // A client that tries again does so with the same request; it gets what the first try came to.
  const sent = new WeakMap<object, Promise<Response>>();
  const send = (url: unknown, init: object = {}) => {
    const outcome = sent.get(init) ?? sendOnce(String(url), init, agent);
    sent.set(init, outcome);
    return outcome;
  };
  return { fetch: send, close: () => agent.destroy() };
}

async function sendOnce(url: string, init: RequestInit, dispatcher: Agent): Promise<Response> {
  const answer = await fetch(url, { ...(await encoded(init)), dispatcher, redirect: 'manual' }).catch(noAnswer);
  const headers = Object.fromEntries(answer.headers);
  if (!answer.ok) throw new ErrorAnswer(answer.status, headers, objectIn(await answer.text().catch(() => '')));
  const body = await answer.arrayBuffer().catch(noAnswer);
  // Clients read the body by its type, not by its length and encoding, which are no more what they were.
  const { 'content-length': _, 'content-encoding': __, ...rest } = headers;
  return new Response(body.byteLength ? body : null, { status: answer.status, headers: rest });
}

/** Forms of Node's own kind are none to undici. */
async function encoded({ body, ...init }: RequestInit): Promise<RequestInit> {
  if (!(body instanceof FormData)) return { ...init, ...(body !== undefined && { body }) };
  const form = new Response(body);
  const type = { 'content-type': form.headers.get('content-type') ?? '' };
  return { ...init, headers: { ...(init.headers as Record<string, string>), ...type }, body: await form.arrayBuffer() };
}

function noAnswer(reason: unknown): never {
  throw new NoAnswer(reason);
}

function objectIn(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/**
 * What an error comes to that a client has thrown whose `fetch` is the one above.
 * @param said what an error answer says, where that is more exact than its status
 */
export function explain(who: string, error: unknown, said: (answer: ErrorAnswer) => Failure | undefined): EngineError {
  if (error instanceof EngineError) return error;
  if (error instanceof ErrorAnswer) return answered(who, error, said(error));
  if (error instanceof NoAnswer) return unanswered(who, error.reason) ?? unforeseen(error.reason);
  // The client has read JSON that is none.
  if ((Object(error) as { name?: unknown }).name === 'SyntaxError') return failureOf(who, 'unreadable');
  return unforeseen(error);
}
