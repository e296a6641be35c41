/** Every error this service can answer with: code → HTTP status, default message, and whether another try may help. */

interface ErrorRow {
  /** HTTP status of an answer, or `error.status` of an artwork. */
  readonly status: number;
  /** What a client reads where nothing more exact is known. Never a provider's own words. */
  readonly message: string;
  /** Whether an activity that failed with it is tried again. Only meaningful after the 202. */
  readonly retryable: boolean;
}

const row = (status: number, message: string, retryable = false): ErrorRow => ({ status, message, retryable });

export const errors = {
  // Synchronous answers.
  validation_failed: row(400, 'The request is not valid. See errors for every field to change.'),
  invalid_api_key: row(401, 'Send a valid API key in the header "Authorization: Bearer <API_KEY>".'),
  key_revoked: row(401, 'This API key was revoked. Use another key.'),
  key_expired: row(401, 'This API key has expired. Use another key.'),
  insufficient_credits: row(402, 'The credits of this API key do not cover this request.'),
  insufficient_scope: row(403, 'The scope of this API key does not allow this request.'),
  insufficient_domain: row(403, 'The domains of this API key do not reach this endpoint.'),
  scope_not_grantable: row(403, 'This scope cannot be granted through the API. Use manager or generator.'),
  domain_not_grantable: row(403, 'A key can only give domains that it has itself.'),
  environment_not_grantable: row(403, 'A test key cannot make or change live keys.'),
  not_found: row(404, 'Nothing was found here.'),
  method_not_allowed: row(405, 'This path does not take this method. The Allow header lists those it takes.'),
  not_cancelable: row(409, 'The artwork has already ended and cannot be canceled.'),
  conflict: row(409, 'The request conflicts with the present state.'),
  payload_too_large: row(413, 'The request body is larger than 30 MB.'),
  unsupported_media_type: row(415, 'Send the body as JSON, with "Content-Type: application/json".'),
  idempotency_mismatch: row(422, 'This Idempotency-Key was already used with another request.'),
  rate_limited: row(429, 'Too many requests. Wait for as long as the Retry-After header says.'),
  unavailable: row(503, 'The service cannot accept requests right now; nothing was kept. Try again shortly.', true),
  // On the artwork, after the 202 (internal_error also synchronously).
  input_unreachable: row(422, 'An input image could not be fetched.'),
  input_invalid: row(422, 'An input could not be used.'),
  face_not_found: row(422, 'No face was found.'),
  content_refused: row(422, 'The content was refused. Change the prompt, or allow it with "nsfw": true.'),
  provider_rejected: row(502, 'The model rejected the request.'),
  provider_unavailable: row(503, 'The model was not available in time.', true),
  provider_timeout: row(504, 'The model did not answer in time.', true),
  internal_error: row(500, 'Something went wrong on our side.', true),
} as const satisfies Record<string, ErrorRow>;

/** The machine-readable name of an error, stable for clients. */
export type ErrorCode = keyof typeof errors;

/** Narrows any string (a failure's type, a database value) to an error code of ours. */
export function isErrorCode(value: unknown): value is ErrorCode {
  return typeof value === 'string' && Object.hasOwn(errors, value);
}

/** The shape of a failure on the artwork and in its webhook: exactly these two. */
export interface ArtworkError {
  status: number;
  message: string;
}
