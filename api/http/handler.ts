/** What a route does once the request is authenticated, authorized and valid. */
import type { Request, Response } from 'express';
import type { Author } from '../../store/audit.ts';
import type { ApiKey } from '../../store/entities.ts';
import { addressOf } from './client-address.ts';
import type { Idempotency } from '../../store/idempotency.ts';
import type { Intake } from '../../services/intake.ts';
import { Problem } from '../../services/problem.ts';

export interface Call {
  request: Request;
  response: Response;
  /** The calling key. */
  key: ApiKey;
  /** The checked body with its defaults; `{}` where the endpoint takes none. */
  body: Record<string, unknown>;
  /** The body with references in place of images, those images, and the style that it names. */
  intake: Intake;
  /** Null where the client sent no `Idempotency-Key`, or the endpoint takes none. */
  idempotency: Idempotency | null;
}

export type Handler = (call: Call) => Promise<void> | void;

/** A path parameter. @throws Problem 404 for NUL, which no id holds and the database cannot take */
export function param({ request }: Pick<Call, 'request'>, name: string): string {
  const value = request.params[name];
  if (typeof value !== 'string') throw new Error(`This path has no parameter ${name}`);
  if (value.includes('\0')) throw new Problem('not_found');
  return value;
}

/** Who the trail of changes names for what this request changes. */
export function authorOf({ request, key }: Pick<Call, 'request' | 'key'>): Author {
  return { actor: key.id, address: addressOf(request), requestId: request.id as string };
}

/** @throws Problem 404 when the path names another organization than the caller's: whether it exists is private */
export function ownOrganization(call: Pick<Call, 'request' | 'key'>): string {
  const orgId = param(call, 'orgId');
  if (orgId !== call.key.org) throw new Problem('not_found');
  return orgId;
}
