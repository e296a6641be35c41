/** What Replicate's error answers and failed predictions mean. */
import type { Failure } from './failures.ts';
import { ErrorAnswer } from './one-try.ts';

/**
 * A failed prediction has a text of its model's, and no code of a fixed list. These are in use: cog-stable-diffusion
 * and cog-flux (`NSFW content`), the proxied models (`flagged as sensitive … (E005)`, `Content moderated`).
 */
const refusal =
  /\bNSFW\b|\bE005\b|\bflagged\b|\bmoderat(ed|ion)\b|\bsafety (system|filters?|checker)\b|\bcontent policy\b/i;

/**
 * What Replicate's list of error codes says to try again (https://replicate.com/docs/reference/error-codes: unknown,
 * timeout at the start, the director's own failures), and a machine that was taken away.
 */
const passing = /\b(E1000|E6716)\b|unexpected error handling prediction|prediction interrupted|\(code: PA\)/i;

/** @param error `error` of the prediction */
export function endOf(status: 'failed' | 'canceled' | 'aborted', error: unknown): Failure {
  // By us, or by a deadline: either way nobody has judged the request.
  if (status !== 'failed') return 'canceled';
  const text = typeof error === 'string' ? error : JSON.stringify(error ?? '');
  if (refusal.test(text)) return 'refused';
  return passing.test(text) ? 'canceled' : 'failed';
}

/** Problem details (RFC 7807): `title`, `detail`, `status`. The status says all but this. */
export function complaintOf({ status, body }: ErrorAnswer): Failure | undefined {
  const { detail } = body;
  const rejects = status === 400 || status === 422;
  return rejects && typeof detail === 'string' && refusal.test(detail) ? 'refused' : undefined;
}

/** Says in a header how long to wait, where only the text does: `Your rate limit resets in ~30s.` */
export function withPatience(error: unknown): unknown {
  if (!(error instanceof ErrorAnswer) || error.headers['retry-after']) return error;
  const { status, headers, body } = error;
  const [, seconds] = /\bresets in ~?(\d+) ?s\b/.exec(String(body.detail)) ?? [];
  return seconds ? new ErrorAnswer(status, { ...headers, 'retry-after': seconds }, body) : error;
}
