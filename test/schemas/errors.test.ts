/** The error table: every code of the contract with its status, and no other. */
import { expect, test } from '@jest/globals';
import { errors, isErrorCode } from '../../schemas/errors.ts';

const contract = {
  validation_failed: 400,
  invalid_api_key: 401,
  key_revoked: 401,
  key_expired: 401,
  insufficient_credits: 402,
  insufficient_scope: 403,
  insufficient_domain: 403,
  scope_not_grantable: 403,
  domain_not_grantable: 403,
  environment_not_grantable: 403,
  not_found: 404,
  method_not_allowed: 405,
  not_cancelable: 409,
  conflict: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  idempotency_mismatch: 422,
  rate_limited: 429,
  unavailable: 503,
  input_unreachable: 422,
  input_invalid: 422,
  face_not_found: 422,
  content_refused: 422,
  provider_rejected: 502,
  provider_unavailable: 503,
  provider_timeout: 504,
  internal_error: 500,
};

test('has exactly the codes of the contract, with their status', () => {
  const table = Object.fromEntries(Object.entries(errors).map(([code, { status }]) => [code, status]));
  expect(table).toEqual(contract);
});

test('does not retry errors that another attempt cannot fix', () => {
  const retryable = Object.entries(errors).flatMap(([code, { retryable }]) => (retryable ? [code] : []));
  expect(retryable.sort()).toEqual(['internal_error', 'provider_timeout', 'provider_unavailable', 'unavailable']);
});

test('messages are sentences', () => {
  for (const { message } of Object.values(errors)) expect(message).toMatch(/^[A-Z].*\.$/);
});

test('recognizes only codes of the table', () => {
  expect(isErrorCode('not_found')).toBe(true);
  for (const other of ['toString', '__proto__', 'NOT_FOUND', '', null, 404]) expect(isErrorCode(other)).toBe(false);
});
