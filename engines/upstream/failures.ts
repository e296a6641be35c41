/** The table of everything that can go wrong with a provider, and the classification of statuses and network errors. */
import { type ErrorCode, errors } from '../../schemas/errors.ts';
import { EngineError } from '../contract/index.ts';
import { retryAfter } from './retry-after.ts';

/**
 * Failure → our error code, the predicate of the operator's message after the provider's name, and the operator's next
 * step. Never contains a provider's own words.
 */
export const failures = {
  refused: ['content_refused', 'refused the content', 'Nothing. The client must change the request.'],
  'key-rejected': ['provider_rejected', 'rejected our API key', 'Check the key and its permissions.'],
  'payment-required': ['provider_rejected', 'requires a payment', 'Check the balance of the account.'],
  'quota-exceeded': [
    'provider_unavailable',
    'reports that our quota is used up',
    'Raise the quota or pause the engine.',
  ],
  'not-found': ['provider_rejected', 'has no such address or model', 'Check `baseUrl` and `model`.'],
  invalid: ['provider_rejected', 'rejected the request as invalid', 'Compare `input` with the model’s fields.'],
  redirect: ['provider_rejected', 'responded with a redirect', 'Set `baseUrl` to the final address.'],
  timeout: ['provider_timeout', 'reported a timeout', 'If it persists, use a faster model or pause the engine.'],
  'not-ready': ['provider_unavailable', 'was not ready', 'If it persists, read the provider’s status page.'],
  'rate-limited': ['provider_unavailable', 'received too many requests', 'Set `rate` to what the provider allows.'],
  'server-error': ['provider_unavailable', 'failed with a server error', 'If it persists, pause the engine.'],
  'no-response': ['provider_timeout', 'did not respond in time', 'Check the network and the provider’s status page.'],
  'unknown-host': ['provider_unavailable', 'has an unknown host name', 'Check `baseUrl` and DNS.'],
  'connection-refused': ['provider_unavailable', 'refused the connection', 'Check `baseUrl`, port and server.'],
  unreachable: ['provider_unavailable', 'is unreachable', 'Check the network of the worker.'],
  'bad-certificate': ['provider_unavailable', 'has an invalid certificate', 'Check the certificate and the host name.'],
  'tls-error': ['provider_unavailable', 'failed to establish TLS', 'Check whether `baseUrl` needs `http://`.'],
  'not-http': ['provider_unavailable', 'does not speak HTTP', 'Check `baseUrl` and port.'],
  'connection-closed': ['provider_unavailable', 'closed the connection', 'If it persists, check proxies in between.'],
  'response-too-large': ['provider_rejected', 'sent too large a response', 'Check `baseUrl` and `model`.'],
  unreadable: ['provider_unavailable', 'sent an unreadable response', 'Check `baseUrl` and proxies in between.'],
  'no-face': ['face_not_found', 'found no face', 'Nothing. The client must send another image.'],
  'out-of-memory': [
    'provider_unavailable',
    'ran out of memory',
    'If it persists, lower the size or use a machine with more memory.',
  ],
  'nothing-found': [
    'input_invalid',
    'found no such object in the image',
    'Nothing. The client must change the request.',
  ],
  lost: [
    'provider_unavailable',
    'no longer has the job or its result',
    'If it persists, check how long it keeps them.',
  ],
  canceled: ['provider_unavailable', 'canceled the job', 'If it persists, read the provider’s status page.'],
  failed: ['provider_rejected', 'failed to complete the job', 'Look the job up at the provider.'],
  'job-timeout': ['provider_timeout', 'did not complete the job in time', 'Raise `timeout` of the binding.'],
  'no-image': ['provider_rejected', 'returned no image', 'Check `output.images` of the binding.'],
  'not-an-image': [
    'provider_rejected',
    'returned a file that is not an image',
    'Check `output.images` of the binding.',
  ],
  'not-transparent': ['provider_rejected', 'returned an image with a background', 'Bind a model that supports alpha.'],
  'image-too-large': ['provider_rejected', 'returned too large an image', 'Limit the size in `input`.'],
  'image-too-costly': [
    'provider_rejected',
    'returned an image that takes too much time or memory to decode',
    'Report the file to the provider.',
  ],
  'wrong-type': [
    'provider_rejected',
    'returned a file of another type than it declared',
    'Compare the file with its `Content-Type`.',
  ],
  'forbidden-link': ['provider_rejected', 'returned a link to a forbidden address', 'Check `output.images`.'],
  'dead-link': ['provider_unavailable', 'returned a link that does not work', 'Check the network of the worker.'],
} as const satisfies Record<string, readonly [code: ErrorCode, predicate: string, nextStep: string]>;

export type Failure = keyof typeof failures;

/** Failures that are never retried, because the provider may have done paid work. */
export const finalFailures: readonly Failure[] = ['job-timeout'];

/**
 * Failures after which a submission costs nothing: providers do not bill error responses. All others may have been
 * charged for.
 */
export const freeFailures: readonly Failure[] = [
  'refused',
  'key-rejected',
  'payment-required',
  'quota-exceeded',
  'not-found',
  'invalid',
  'redirect',
  'not-ready',
  'rate-limited',
  'server-error',
  'unknown-host',
  'connection-refused',
  'unreachable',
  'bad-certificate',
  'tls-error',
];

/** A failure of a provider, with its row of the table. */
export class ProviderError extends EngineError {
  readonly failure: Failure;

  constructor(failure: Failure, message: string, options: { retryAfter?: number }) {
    super(failures[failure][0], message, { ...options, isFinal: finalFailures.includes(failure) });
    this.failure = failure;
  }
}

export interface FailureDetails {
  /** HTTP status, for operators. */
  status?: number | undefined;
  /** Milliseconds. */
  retryAfter?: number | undefined;
}

/** @param who provider in the operator's message: `fal`, `The language model` */
export function failureOf(who: string, failure: Failure, details: FailureDetails = {}): ProviderError {
  const { status, retryAfter: wait } = details;
  const message = `${who} ${failures[failure][1]}${status === undefined ? '' : ` (${status})`}`;
  return new ProviderError(failure, message, wait === undefined ? {} : { retryAfter: wait });
}

/** Returns the meaning of an error status when the body has no more exact code. */
function failureOfStatus(status: number): Failure {
  switch (status) {
    case 401:
    case 403:
      return 'key-rejected';
    case 402:
      return 'payment-required';
    case 404:
    case 410:
      return 'not-found';
    case 408:
    case 504:
    case 524:
      return 'timeout';
    case 409:
    case 425:
      return 'not-ready';
    case 429:
      return 'rate-limited';
    default:
      return status >= 500 ? 'server-error' : status < 400 ? 'redirect' : 'invalid';
  }
}

export interface HttpResponse {
  status: number;
  /** Names in lower case. */
  headers?: Readonly<Record<string, string>> | undefined;
}

/**
 * Classifies a response with an error status.
 * @param inBody the failure that the body names, where that is more exact than the status
 */
export function responseFailure(who: string, { status, headers }: HttpResponse, inBody?: Failure): ProviderError {
  const failure = inBody ?? failureOfStatus(status);
  // A failure that is never retried has no use for a pause.
  const wait = errors[failures[failure][0]].retryable ? retryAfter(headers) : undefined;
  return failureOf(who, failure, { status, retryAfter: wait });
}

/** Names and codes of errors in Node, undici and OpenSSL. */
const connectionErrors: readonly (readonly [RegExp, Failure])[] = [
  // Before the connection exists, the provider has received nothing.
  [/UND_ERR_CONNECT_TIMEOUT/, 'unreachable'],
  [/TimeoutError|ETIMEDOUT|_TIMEOUT$/, 'no-response'],
  [/ENOTFOUND|EAI_AGAIN/, 'unknown-host'],
  [/ECONNREFUSED/, 'connection-refused'],
  [/EHOSTUNREACH|ENETUNREACH/, 'unreachable'],
  [/ADDRESS_NOT_ALLOWED/, 'forbidden-link'],
  [/CERT|ALTNAME/, 'bad-certificate'],
  [/TLS|SSL/, 'tls-error'],
  [/MAX_SIZE/, 'response-too-large'],
  [/^HPE_/, 'not-http'],
  [/ECONNRESET|EPIPE|UND_ERR|AbortError/, 'connection-closed'],
];

/** Classifies a missing or incomplete response. Returns null when the error is not a network error. */
export function connectionFailure(who: string, error: unknown): ProviderError | null {
  for (const { name, code } of causes(error)) {
    for (const [pattern, failure] of connectionErrors) {
      if (pattern.test(code) || pattern.test(name)) return failureOf(who, failure);
    }
  }
  return null;
}

function* causes(error: unknown): Generator<{ name: string; code: string }> {
  // Bounded, because a chain of causes may be circular.
  for (let depth = 0, cause = error; depth < 8 && typeof cause === 'object' && cause !== null; depth++) {
    const { name, code, cause: next } = cause as { name?: unknown; code?: unknown; cause?: unknown };
    yield { name: typeof name === 'string' ? name : '', code: typeof code === 'string' ? code : '' };
    cause = next;
  }
}

/** Returns a failure for a bug in our code. Keeps the stack but not the message, which may contain a prompt. */
export function unexpectedFailure(error: unknown): EngineError {
  const { name, stack } = Object(error) as { name?: unknown; stack?: unknown };
  const failure = new EngineError('internal_error', `Unexpected ${typeof name === 'string' ? name : typeof error}`);
  const lines = typeof stack === 'string' ? stack.split('\n') : [];
  failure.stack = [`EngineError: ${failure.message}`, ...lines.filter((line) => /^\s+at /.test(line))].join('\n');
  return failure;
}
