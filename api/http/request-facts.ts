/** The facts about a request that its log line reports: who sent it, and how it was decided. */
import type { Request, Response } from 'express';
import type { ErrorCode } from '../../schemas/errors.ts';
import type { ApiKey } from '../../store/entities.ts';
import { addressOf } from './client-address.ts';
import { routeOf } from './measure.ts';

interface Facts {
  address?: string;
  keyId?: string;
  orgId?: string;
  environment?: string;
  /** `allowed`, or the error code of the response. `retired`: a path of version 1. `unread`: the client stopped reading. */
  decision?: 'allowed' | 'retired' | 'unread' | ErrorCode;
}

const facts = new WeakMap<object, Facts>();

function note(response: Response, known: Facts): void {
  facts.set(response, { ...facts.get(response), ...known });
}

/** Must run while the connection is open, because a closed one has no address. */
export function noteAddress(request: Request, response: Response): void {
  note(response, { address: addressOf(request) });
}

/** Notes the key of a request, also one that is rejected. */
export function noteKey(response: Response, { id, org, environment }: ApiKey): void {
  note(response, { keyId: id, orgId: org, environment });
}

/** Notes the decision on a request. A later one replaces it. */
export function noteDecision(response: Response, decision: Facts['decision'] & string): void {
  note(response, { decision });
}

/** Notes that the client stopped reading, unless the request was rejected. */
export function noteUnread(response: Response): void {
  if ((facts.get(response)?.decision ?? 'allowed') === 'allowed') noteDecision(response, 'unread');
}

/** Returns the facts when the response has ended. `aborted`: the client disconnected before it had a whole response. */
export function factsOf(request: Request, response: Response): object {
  const { decision = 'allowed', ...known } = facts.get(response) ?? {};
  const isAborted = decision === 'allowed' && !response.writableFinished;
  return { route: routeOf(request), decision: isAborted ? 'aborted' : decision, ...known };
}
