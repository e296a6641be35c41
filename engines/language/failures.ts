/** What a failure of a language model's server is to us. Its own words stay behind: they may hold keys, addresses and prompts. */
import { APICallError, InvalidResponseDataError } from 'ai';
import { EngineError } from '../engine.ts';
import { answered, type Failure, failureOf, unanswered, unforeseen } from '../upstream/failures.ts';
import { type Complaint, readComplaint } from './complaint.ts';

const who = 'The language model';

/** Without a cause, for the same reason. */
export function toEngineError(error: unknown): EngineError {
  if (error instanceof EngineError) return error;
  return inAnswer(error) ?? unanswered(who, error) ?? unreadable(error) ?? unforeseen(error);
}

/** There was an answer, and its status says what it means. */
function inAnswer(error: unknown): EngineError | null {
  if (!APICallError.isInstance(error) || error.statusCode === undefined) return null;
  const complaint = readComplaint(error.responseBody);
  const status = error.statusCode < 300 ? complaint.status : error.statusCode;
  return status === undefined ? null : answered(who, { status, headers: error.responseHeaders }, said(complaint));
}

function said({ codes, isRefusal }: Complaint): Failure | undefined {
  if (isRefusal) return 'refused';
  return codes.includes('insufficient_quota') ? 'no-quota' : undefined;
}

/** There was an answer that is none of the protocol: half of it, a page, no choices. Another try may get a whole one. */
function unreadable(error: unknown): EngineError | null {
  if (APICallError.isInstance(error) && error.statusCode === undefined) return failureOf(who, 'no-route');
  if (!APICallError.isInstance(error) && !InvalidResponseDataError.isInstance(error)) return null;
  return failureOf(who, 'unreadable');
}
