/** What a failure of the AI SDK comes to. Its errors hold addresses, prompts and the server's own words, of which nothing is kept. */
import { APICallError, DownloadError, InvalidArgumentError, InvalidResponseDataError, NoImageGeneratedError } from 'ai';
import { EngineError } from '../contract/index.ts';
import { readComplaint } from './complaint.ts';
import { answered, type Failure, failureOf, unanswered, unforeseen } from './failures.ts';

/** Without a cause, for the same reason. @param who for operators: `openai`, `The language model` */
export function explainSdkError(who: string, error: unknown): EngineError {
  if (error instanceof EngineError) return error;
  const told = inAnswer(who, error) ?? unanswered(who, error);
  if (told) return told;
  const failure = bySort(error);
  return failure ? failureOf(who, failure) : unforeseen(error);
}

/** There was an answer, and its status says what it means. */
function inAnswer(who: string, error: unknown): EngineError | null {
  if (!APICallError.isInstance(error) || error.statusCode === undefined) return null;
  const complaint = readComplaint(error.responseBody);
  const status = error.statusCode < 300 ? complaint.status : error.statusCode;
  if (status === undefined) return null;
  const headers = { ...(complaint.retryAfter && { 'retry-after': complaint.retryAfter }), ...error.responseHeaders };
  return answered(who, { status, headers }, complaint.said);
}

function bySort(error: unknown): Failure | null {
  // There was an answer that is none of the protocol: half of it, a page, no choices. Another try may get a whole one.
  if (APICallError.isInstance(error)) return error.statusCode === undefined ? 'no-route' : 'unreadable';
  if (InvalidResponseDataError.isInstance(error)) return 'unreadable';
  if (NoImageGeneratedError.isInstance(error)) return 'no-image';
  // A private address in an answer.
  if (DownloadError.isInstance(error)) return 'no-link';
  // An option that the SDK knows to be wrong: nothing was sent.
  return InvalidArgumentError.isInstance(error) ? 'invalid' : null;
}
