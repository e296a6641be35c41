/** Meaning of fal's error responses and failed jobs. */
import type { Failure } from '../failures.ts';
import type { ErrorResponse } from '../send-once.ts';

/** Errors that do not concern the request: https://fal.ai/docs/documentation/model-apis/request-errors */
const transientTypes = [
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

/** Returns the failure that a body names, in responses of the queue and in results of failed jobs. */
export function failureInBody({ body: { detail } }: ErrorResponse): Failure | undefined {
  const ofModel = failureOfModel(detail);
  if (ofModel) return ofModel;
  // fal locks an account without balance and responds with status 403.
  const isLocked = typeof detail === 'string' && detail.startsWith('User is locked');
  return isLocked && /balance|top.?up|billing/i.test(detail) ? 'payment-required' : undefined;
}

/** Returns the failure of a model that has a failure of its own: https://fal.ai/docs/documentation/model-apis/errors */
function failureOfModel(detail: unknown): Failure | undefined {
  const types = typesOf(detail);
  if (types.includes('content_policy_violation')) return 'refused';
  return types.includes('face_detection_error') ? 'no-face' : undefined;
}

/**
 * Returns the failure of a completed job whose result is an error.
 * @param status the queue's status of the job
 * @returns null when the queue itself failed, so that the job can be polled again
 */
export function failureOfJob(response: ErrorResponse, status: object): Failure | null {
  const { headers, body } = response;
  const ofModel = failureOfModel(body.detail);
  if (ofModel) return ofModel;
  const { error, error_type: typeInStatus } = status as { error?: unknown; error_type?: unknown };
  const type = body.error_type ?? headers['x-fal-error-type'] ?? typeInStatus;
  if (transientTypes.some((each) => each === type)) return 'canceled';
  // Models list their objections to a request.
  const types = typesOf(body.detail);
  if (!types.length && !type && !error) return null;
  const isRetryable = headers['x-fal-retryable'] === 'true' || headers['x-fal-needs-retry'] === '1';
  if (isRetryable || response.status === 429) return 'canceled';
  return response.status >= 500 ? 'failed' : 'invalid';
}

/** Returns whether the result is not available yet, which can happen shortly after the job has completed. */
export function isResultPending({ status, body: { detail } }: ErrorResponse): boolean {
  return status === 400 && typeof detail === 'string' && /\bstill in progress\b/i.test(detail);
}

/** Returns whether the model's safety checker flagged an output. The images of such an output are black. */
export function isFlagged(output: object): boolean {
  const { has_nsfw_concepts: flags } = output as { has_nsfw_concepts?: unknown };
  return [flags].flat().includes(true);
}

function typesOf(detail: unknown): unknown[] {
  return Array.isArray(detail) ? detail.map((each) => (Object(each) as { type?: unknown }).type) : [];
}
