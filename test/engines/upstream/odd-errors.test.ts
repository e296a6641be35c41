/** Error responses whose fields have unexpected types are failures of the provider, not bugs in our code. */
import { expect, test } from '@jest/globals';
import { readErrorBody } from '../../../engines/upstream/error-body.ts';
import { withRetryAfter } from '../../../engines/upstream/replicate/failures.ts';
import { explainSdkError } from '../../../engines/upstream/sdk-failures.ts';
import { ErrorResponse } from '../../../engines/upstream/send-once.ts';

const unprintable = { toString: null };

test('a detail of Replicate that is no text names no time', () => {
  const error = new ErrorResponse(429, {}, { detail: unprintable });
  expect(withRetryAfter(error)).toBe(error);
});

test('a quota of Google that is no text is not the quota of a day', () => {
  const details = (quotaId: unknown) => JSON.stringify({ error: { details: [{ violations: [{ quotaId }] }] } });
  expect(readErrorBody(details(unprintable)).failure).toBeUndefined();
  expect(readErrorBody(details('RequestsPerDayPerProject')).failure).toBe('quota-exceeded');
});

test('an image that is not base64 makes a response unreadable', () => {
  // The error of `atob`, with which the SDK decodes.
  const error = new DOMException('The string to be decoded is not correctly encoded.', 'InvalidCharacterError');
  expect(explainSdkError('openai', error)).toMatchObject({ message: 'openai sent an unreadable response' });
});
