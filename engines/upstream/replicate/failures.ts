/** Meaning of Replicate's error responses and failed predictions. */
import type { Failure } from '../failures.ts';
import { ErrorResponse } from '../send-once.ts';

/**
 * Text of a prediction that moderation rejected. A failed prediction has a text from its model and no code of a fixed
 * list. In use: `NSFW content` (cog-stable-diffusion, cog-flux), `flagged as sensitive … (E005)` and
 * `Content moderated` (proxied models).
 */
const refusalText =
  /\bNSFW\b|\bE005\b|\bflagged\b|\bmoderat(ed|ion)\b|\bsafety (system|filters?|checker)\b|\bcontent policy\b/i;

/** Text of a prediction whose image has no face. Models that only improve faces return such an image unchanged. */
const noFaceText =
  /\bno faces? (?:was |were )?(?:found|detected)\b|\bfaces? (?:was |were )?not (?:found|detected)\b|\b(?:find|detect) (?:a|any) faces?(?=$|[.,!]| in\b)/i;

/** Text of PyTorch, and Replicate's code for it. */
const memoryText = /\bout of memory\b|\bE1001\b/i;

/**
 * Text of failures for which Replicate recommends a retry (https://replicate.com/docs/reference/error-codes: unknown,
 * timeout at the start, failures of the director), and of an interrupted machine.
 */
const transientText = /\b(E1000|E6716)\b|unexpected error handling prediction|prediction interrupted|\(code: PA\)/i;

/** @param error `error` of the prediction */
export function failureOfJob(status: 'failed' | 'canceled' | 'aborted', error: unknown): Failure {
  // Canceled by us or by a deadline, so the request itself may be valid.
  if (status !== 'failed') return 'canceled';
  const text = typeof error === 'string' ? error : JSON.stringify(error ?? '');
  if (refusalText.test(text)) return 'refused';
  if (noFaceText.test(text)) return 'no-face';
  if (memoryText.test(text)) return 'out-of-memory';
  return transientText.test(text) ? 'canceled' : 'failed';
}

/** Returns the failure that problem details (RFC 7807) name. For all other failures the status is exact enough. */
export function failureInBody({ status, body }: ErrorResponse): Failure | undefined {
  const { detail } = body;
  const isRejection = status === 400 || status === 422;
  return isRejection && typeof detail === 'string' && refusalText.test(detail) ? 'refused' : undefined;
}

/** Adds a `retry-after` header where only the text contains the time: `Your rate limit resets in ~30s.` */
export function withRetryAfter(error: unknown): unknown {
  if (!(error instanceof ErrorResponse) || error.headers['retry-after']) return error;
  const { status, headers, body } = error;
  // `String` fails for an object whose `toString` is no function.
  const detail = typeof body.detail === 'string' ? body.detail : '';
  const [, seconds] = /\bresets in ~?(\d+) ?s\b/.exec(detail) ?? [];
  return seconds ? new ErrorResponse(status, { ...headers, 'retry-after': seconds }, body) : error;
}
