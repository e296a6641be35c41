/** Classifies errors of the AI SDK. They contain addresses, prompts and the server's words, which are left out. */
import { APICallError, DownloadError, InvalidArgumentError, InvalidResponseDataError, NoImageGeneratedError } from 'ai';
import { EngineError } from '../contract/index.ts';
import { readErrorBody } from './error-body.ts';
import { connectionFailure, type Failure, failureOf, responseFailure, unexpectedFailure } from './failures.ts';

/** Returns a failure without a cause, because the cause would contain addresses and prompts. @param who engine's name, for operators */
export function explainSdkError(who: string, error: unknown): EngineError {
  if (error instanceof EngineError) return error;
  const known = fromResponse(who, error) ?? connectionFailure(who, error);
  if (known) return known;
  const failure = fromType(error);
  return failure ? failureOf(who, failure) : unexpectedFailure(error);
}

/** Classifies an error response. Returns null when there was none. */
function fromResponse(who: string, error: unknown): EngineError | null {
  if (!APICallError.isInstance(error) || error.statusCode === undefined) return null;
  const body = readErrorBody(error.responseBody);
  const status = error.statusCode < 300 ? body.status : error.statusCode;
  if (status === undefined) return null;
  const headers = { ...(body.retryAfter && { 'retry-after': body.retryAfter }), ...error.responseHeaders };
  return responseFailure(who, { status, headers }, body.failure);
}

function fromType(error: unknown): Failure | null {
  // The response violates the protocol: it is incomplete, or an HTML page. A retry may succeed.
  if (APICallError.isInstance(error)) return error.statusCode === undefined ? 'unreachable' : 'unreadable';
  if (InvalidResponseDataError.isInstance(error) || isBrokenBase64(error)) return 'unreadable';
  if (NoImageGeneratedError.isInstance(error)) return 'no-image';
  // The response links to a private address.
  if (DownloadError.isInstance(error)) return 'forbidden-link';
  // The SDK rejected an option and sent no request.
  return InvalidArgumentError.isInstance(error) ? 'invalid' : null;
}

/** Returns whether the SDK could not decode the base64 of an image. */
const isBrokenBase64 = (error: unknown) => error instanceof DOMException && error.name === 'InvalidCharacterError';
