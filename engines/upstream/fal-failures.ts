/** What fal's error answers and failed jobs mean. */
import type { Failure } from './failures.ts';
import type { ErrorAnswer } from './one-try.ts';

/** https://fal.ai/docs/documentation/model-apis/request-errors: none of them judges the request. */
const passing = [
  'request_timeout',
  'startup_timeout',
  'runner_scheduling_failure',
  'runner_connection_timeout',
  'runner_disconnected',
  'runner_connection_refused',
  'runner_connection_error',
  'runner_incomplete_response',
  'runner_server_error',
  'client_disconnected',
  'client_cancelled',
  'internal_error',
];

/** Beside the status, in answers of the queue and in results of failed jobs. */
export function complaintOf({ body: { detail } }: ErrorAnswer): Failure | undefined {
  if (typesOf(detail).includes('content_policy_violation')) return 'refused';
  if (typesOf(detail).includes('face_detection_error')) return 'no-face';
  // 403: an account without balance is locked.
  const isLocked = typeof detail === 'string' && detail.startsWith('User is locked');
  return isLocked && /balance|top.?up|billing/i.test(detail) ? 'unpaid' : undefined;
}

/**
 * What a completed job came to whose result is an error.
 * @param status what the queue said of the job
 * @returns null where the queue itself has failed, so that one may look again
 */
export function endOf(answer: ErrorAnswer, status: object): Failure | null {
  const { headers, body } = answer;
  if (complaintOf(answer) === 'refused') return 'refused';
  const { error, error_type: ofStatus } = status as { error?: unknown; error_type?: unknown };
  const type = body.error_type ?? headers['x-fal-error-type'] ?? ofStatus;
  if (passing.some((each) => each === type)) return 'canceled';
  // https://fal.ai/docs/documentation/model-apis/errors: models list what they had against a request.
  const types = typesOf(body.detail);
  if (!types.length && !type && !error) return null;
  const mayPass = headers['x-fal-retryable'] === 'true' || headers['x-fal-needs-retry'] === '1';
  if (mayPass || answer.status === 429) return 'canceled';
  return answer.status >= 500 ? 'failed' : 'invalid';
}

/** The result may come a moment after the status. */
export function isEarly({ status, body: { detail } }: ErrorAnswer): boolean {
  return status === 400 && typeof detail === 'string' && /\bstill in progress\b/i.test(detail);
}

/** Models answer what their safety checker has flagged, as black images. */
export function isFlagged(output: object): boolean {
  const { has_nsfw_concepts: flags } = output as { has_nsfw_concepts?: unknown };
  return [flags].flat().includes(true);
}

function typesOf(detail: unknown): unknown[] {
  return Array.isArray(detail) ? detail.map((each) => (Object(each) as { type?: unknown }).type) : [];
}
