/** The one table of what can go wrong with a provider, and from any status or network error to a row of it. */
import { type ErrorCode, errors } from '../../schemas/errors.ts';
import { EngineError } from '../contract/index.ts';
import { retryAfter } from './retry-after.ts';

/** Failure → our code, and what operators read after the provider's name. Never a provider's own words. */
export const failures = {
  refused: ['content_refused', 'refused the content'],
  'no-access': ['provider_rejected', 'refused our key'],
  unpaid: ['provider_rejected', 'wants to be paid'],
  'no-quota': ['provider_unavailable', 'has no quota left for our key'],
  'not-found': ['provider_rejected', 'was not found at its address'],
  invalid: ['provider_rejected', 'rejected the request'],
  elsewhere: ['provider_rejected', 'sent us elsewhere'],
  slow: ['provider_timeout', 'took too long'],
  'not-ready': ['provider_unavailable', 'was not ready'],
  busy: ['provider_unavailable', 'has too many requests'],
  broken: ['provider_unavailable', 'failed'],
  silent: ['provider_timeout', 'did not answer in time'],
  'unknown-host': ['provider_unavailable', 'has an unknown host name'],
  'closed-port': ['provider_unavailable', 'refused the connection'],
  'no-route': ['provider_unavailable', 'cannot be reached'],
  'bad-certificate': ['provider_unavailable', 'has a certificate that is not accepted'],
  'no-tls': ['provider_unavailable', 'does not speak TLS with us'],
  'no-http': ['provider_unavailable', 'does not speak HTTP'],
  'cut-off': ['provider_unavailable', 'closed the connection'],
  'too-long': ['provider_rejected', 'answered at too great length'],
  unreadable: ['provider_unavailable', 'gave an answer that cannot be read'],
  'no-face': ['face_not_found', 'found no face'],
  lost: ['provider_unavailable', 'does not know its job any more'],
  canceled: ['provider_unavailable', 'canceled its job'],
  failed: ['provider_rejected', 'failed at its job'],
  endless: ['provider_timeout', 'did not end its job in time'],
  'no-image': ['provider_rejected', 'gave no image'],
  'not-an-image': ['provider_rejected', 'gave what is no image'],
  'not-transparent': ['provider_rejected', 'gave a picture with a background'],
  'too-large-an-image': ['provider_rejected', 'gave an image that is too large'],
  'no-link': ['provider_rejected', 'gave a link that may not be followed'],
  'dead-link': ['provider_unavailable', 'gave a link that leads nowhere'],
} as const satisfies Record<string, readonly [ErrorCode, string]>;

export type Failure = keyof typeof failures;

/** Work that may have been paid for is not bought again: what our own patience ended is final. */
export const final: readonly Failure[] = ['endless'];

/** A failure of a provider, by its row of the table. */
export class ProviderError extends EngineError {
  readonly failure: Failure;

  constructor(failure: Failure, message: string, options: { retryAfter?: number }) {
    super(failures[failure][0], message, { ...options, isFinal: final.includes(failure) });
    this.failure = failure;
  }
}

export interface FailureDetails {
  /** HTTP status, for operators. */
  status?: number | undefined;
  /** Milliseconds. */
  retryAfter?: number | undefined;
}

/** @param who for operators: `fal`, `The language model` */
export function failureOf(who: string, failure: Failure, details: FailureDetails = {}): ProviderError {
  const { status, retryAfter: wait } = details;
  const message = `${who} ${failures[failure][1]}${status === undefined ? '' : ` (${status})`}`;
  return new ProviderError(failure, message, wait === undefined ? {} : { retryAfter: wait });
}

/** What an HTTP answer with an error status means, before anything in its body says otherwise. */
function failureOfStatus(status: number): Failure {
  switch (status) {
    case 401:
    case 403:
      return 'no-access';
    case 402:
      return 'unpaid';
    case 404:
    case 410:
      return 'not-found';
    case 408:
    case 504:
    case 524:
      return 'slow';
    case 409:
    case 425:
      return 'not-ready';
    case 429:
      return 'busy';
    default:
      return status >= 500 ? 'broken' : status < 400 ? 'elsewhere' : 'invalid';
  }
}

export interface HttpAnswer {
  status: number;
  /** Names in lower case. */
  headers?: Readonly<Record<string, string>> | undefined;
}

/**
 * An answer with an error status as a failure.
 * @param said what its body says, where that is more exact than the status
 */
export function answered(who: string, { status, headers }: HttpAnswer, said?: Failure): ProviderError {
  const failure = said ?? failureOfStatus(status);
  // What is refused for good is not asked again, however long one waits.
  const wait = errors[failures[failure][0]].retryable ? retryAfter(headers) : undefined;
  return failureOf(who, failure, { status, retryAfter: wait });
}

/** By the names and codes of Node, undici and OpenSSL. */
const connections: readonly (readonly [RegExp, Failure])[] = [
  [/TimeoutError|ETIMEDOUT|_TIMEOUT$/, 'silent'],
  [/ENOTFOUND|EAI_AGAIN/, 'unknown-host'],
  [/ECONNREFUSED/, 'closed-port'],
  [/EHOSTUNREACH|ENETUNREACH/, 'no-route'],
  [/CERT|ALTNAME/, 'bad-certificate'],
  [/TLS|SSL/, 'no-tls'],
  [/MAX_SIZE/, 'too-long'],
  [/^HPE_/, 'no-http'],
  [/ECONNRESET|EPIPE|UND_ERR|AbortError/, 'cut-off'],
];

/** There was no answer, or not all of it. @returns null when the error is none of the network's */
export function unanswered(who: string, error: unknown): ProviderError | null {
  for (const { name, code } of causes(error)) {
    for (const [pattern, failure] of connections) {
      if (pattern.test(code) || pattern.test(name)) return failureOf(who, failure);
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

/** A bug: where it was thrown is said, what it said is not. */
export function unforeseen(error: unknown): EngineError {
  const { name, stack } = Object(error) as { name?: unknown; stack?: unknown };
  const failure = new EngineError('internal_error', `Unexpected ${typeof name === 'string' ? name : typeof error}`);
  const lines = typeof stack === 'string' ? stack.split('\n') : [];
  failure.stack = [`EngineError: ${failure.message}`, ...lines.filter((line) => /^\s+at /.test(line))].join('\n');
  return failure;
}
