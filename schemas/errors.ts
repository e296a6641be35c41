/** Every error of this service: its code, HTTP status, default message, and whether a retry may help. */

interface ErrorRow {
  /** HTTP status of the response, or `error.status` of the artwork. */
  readonly status: number;
  /** Message for the client when nothing more specific is known. Never contains a provider's own words. */
  readonly message: string;
  /** Whether Temporal retries an activity that failed with this error. Applies only after the 202. */
  readonly retryable: boolean;
}

const row = (status: number, message: string, retryable = false): ErrorRow => ({ status, message, retryable });

export const errors = {
  // In responses to requests.
  validation_failed: row(400, 'The request is not valid. See `errors` for the fields to change.'),
  invalid_api_key: row(401, 'Send a valid API key in the header "Authorization: Bearer <API_KEY>".'),
  key_revoked: row(401, 'This API key was revoked. Use another key.'),
  key_expired: row(401, 'This API key has expired. Use another key.'),
  insufficient_credits: row(402, 'The credits of this API key do not cover this request.'),
  insufficient_scope: row(403, 'The scope of this API key does not allow this request.'),
  insufficient_domain: row(403, 'This API key does not have the domain that this endpoint requires.'),
  scope_not_grantable: row(403, 'This scope cannot be granted through the API. Use manager or generator.'),
  domain_not_grantable: row(403, 'A key cannot grant a domain that it lacks.'),
  environment_not_grantable: row(403, 'A test key cannot create or change live keys.'),
  not_found: row(404, 'The resource was not found.'),
  method_not_allowed: row(
    405,
    'This path does not support this method. See the Allow header for the methods it supports.',
  ),
  not_cancelable: row(409, 'The artwork has already ended and cannot be canceled.'),
  conflict: row(409, 'The request conflicts with the current state of the resource.'),
  payload_too_large: row(413, 'The request body is larger than this endpoint accepts.'),
  unsupported_media_type: row(415, 'Send the body as JSON, with "Content-Type: application/json".'),
  idempotency_mismatch: row(422, 'This Idempotency-Key was already used with a different request.'),
  rate_limited: row(
    429,
    'Too many requests. Wait for the number of seconds in the Retry-After header, then try again.',
  ),
  unavailable: row(
    503,
    'The service cannot accept requests right now, and nothing was stored. Try again shortly.',
    true,
  ),
  // On the artwork, after the 202. `internal_error` can also be the response to a request.
  input_unreachable: row(422, 'An input image could not be fetched.'),
  input_invalid: row(422, 'An input could not be used.'),
  face_not_found: row(422, 'No face was found.'),
  content_refused: row(422, 'The content was refused. Change the prompt, or allow it with "nsfw": true.'),
  provider_rejected: row(502, 'The model rejected the request.'),
  provider_unavailable: row(503, 'The model was not available in time.', true),
  provider_timeout: row(504, 'The model did not respond in time.', true),
  internal_error: row(500, 'Something went wrong on our side.', true),
} as const satisfies Record<string, ErrorRow>;

/** The machine-readable code of an error, which never changes. */
export type ErrorCode = keyof typeof errors;

/** Returns whether a value, such as a failure's type or a database value, is an error code of this table. */
export function isErrorCode(value: unknown): value is ErrorCode {
  return typeof value === 'string' && Object.hasOwn(errors, value);
}

/** The error on an artwork and in its webhook: exactly these two fields. */
export interface ArtworkError {
  status: number;
  message: string;
}
