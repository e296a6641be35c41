/** What a failure of a language model's server is to us. Its own words stay behind: they may hold keys, addresses and prompts. */
import { APICallError, InvalidResponseDataError } from 'ai';
import type { ErrorCode } from '../../schemas/errors.ts';
import { EngineError } from '../engine.ts';
import { readComplaint } from './complaint.ts';
import { retryAfter } from './retry-after.ts';

/** Without a cause, for the same reason. */
export function toEngineError(error: unknown): EngineError {
  if (error instanceof EngineError) return error;
  return answered(error) ?? unanswered(error) ?? unreadable(error) ?? unforeseen(error);
}

/** There was an answer, and its status says what it means. */
function answered(error: unknown): EngineError | null {
  if (!APICallError.isInstance(error) || error.statusCode === undefined) return null;
  const { status: inBody, codes, isRefusal } = readComplaint(error.responseBody);
  const status = error.statusCode < 300 ? inBody : error.statusCode;
  if (status === undefined) return null;
  if (isRefusal) return new EngineError('content_refused', `The language model refused the content (${status})`);
  const [code, words] = meaning(status, codes);
  const wait = code === 'provider_rejected' ? undefined : retryAfter(error.responseHeaders);
  return new EngineError(
    code,
    `The language model ${words} (${status})`,
    wait === undefined ? {} : { retryAfter: wait },
  );
}

function meaning(status: number, codes: readonly string[]): [ErrorCode, string] {
  if (codes.includes('insufficient_quota')) return ['provider_unavailable', 'has no quota left for our key'];
  switch (status) {
    case 401:
    case 403:
      return ['provider_rejected', 'refused our key'];
    case 402:
      return ['provider_rejected', 'wants to be paid'];
    case 404:
      return ['provider_rejected', 'was not found at its address'];
    case 408:
    case 504:
    case 524:
      return ['provider_timeout', 'took too long'];
    case 409:
    case 425:
      return ['provider_unavailable', 'was not ready'];
    case 429:
      return ['provider_unavailable', 'has too many requests'];
    default:
      return status >= 500
        ? ['provider_unavailable', 'failed']
        : ['provider_rejected', status < 400 ? 'sent us elsewhere' : 'rejected the request'];
  }
}

/** By the names and codes of Node, undici and OpenSSL. */
const connections: readonly (readonly [RegExp, ErrorCode, string])[] = [
  [/TimeoutError|ETIMEDOUT|_TIMEOUT$/, 'provider_timeout', 'did not answer in time'],
  [/ENOTFOUND|EAI_AGAIN/, 'provider_unavailable', 'has an unknown host name'],
  [/ECONNREFUSED/, 'provider_unavailable', 'refused the connection'],
  [/EHOSTUNREACH|ENETUNREACH/, 'provider_unavailable', 'cannot be reached'],
  [/CERT|ALTNAME/, 'provider_unavailable', 'has a certificate that is not accepted'],
  [/TLS|SSL/, 'provider_unavailable', 'does not speak TLS with us'],
  [/MAX_SIZE/, 'provider_rejected', 'answered at too great length'],
  [/^HPE_/, 'provider_unavailable', 'does not speak HTTP'],
  [/ECONNRESET|EPIPE|UND_ERR|AbortError/, 'provider_unavailable', 'closed the connection'],
];

/** There was no answer, or not all of it. */
function unanswered(error: unknown): EngineError | null {
  for (const { name, code } of causes(error)) {
    for (const [pattern, kind, words] of connections) {
      if (pattern.test(code) || pattern.test(name)) return new EngineError(kind, `The language model ${words}`);
    }
  }
  return null;
}

function* causes(error: unknown): Generator<{ name: string; code: string }> {
  // Bounded: a chain of causes may be a circle.
  for (let depth = 0, cause = error; depth < 8 && typeof cause === 'object' && cause !== null; depth++) {
    const { name, code, cause: next } = cause as { name?: unknown; code?: unknown; cause?: unknown };
    yield { name: typeof name === 'string' ? name : '', code: typeof code === 'string' ? code : '' };
    cause = next;
  }
}

/** There was an answer that is none of the protocol: half of it, a page, no choices. Another try may get a whole one. */
function unreadable(error: unknown): EngineError | null {
  if (APICallError.isInstance(error) && error.statusCode === undefined) {
    return new EngineError('provider_unavailable', 'The language model cannot be reached');
  }
  if (!APICallError.isInstance(error) && !InvalidResponseDataError.isInstance(error)) return null;
  return new EngineError('provider_unavailable', 'The language model gave an answer that cannot be read');
}

/** A bug: where it was thrown is said, what it said is not. */
function unforeseen(error: unknown): EngineError {
  const { name, stack } = Object(error) as { name?: unknown; stack?: unknown };
  const failure = new EngineError('internal_error', `Unexpected ${typeof name === 'string' ? name : typeof error}`);
  const lines = typeof stack === 'string' ? stack.split('\n') : [];
  failure.stack = [`EngineError: ${failure.message}`, ...lines.filter((line) => /^\s+at /.test(line))].join('\n');
  return failure;
}
