/** Handlers: what an endpoint does once its request is authenticated, within its limits, authorized and valid. */
import type { Request, Response } from 'express';
import type { Static, TSchema } from 'typebox';
import type { Endpoint } from '../../schemas/endpoint.ts';
import type { endpoints } from '../../schemas/endpoints.ts';
import type { Author } from '../../store/audit.ts';
import type { ApiKey } from '../../store/entities.ts';
import { Problem } from '../../services/problem.ts';
import { addressOf } from './client-address.ts';

/** The part of a call that every handler receives. */
interface AnyCall {
  request: Request;
  response: Response;
}

/** The part of a call that only endpoints with a key have. */
export interface KeyCall extends AnyCall {
  /** The calling key. */
  key: ApiKey;
}

/** The parameters of a path: `'id'` of `/v2/artworks/:id/cancel`. */
type ParameterNames<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParameterNames<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

export type Call<E extends Endpoint> = (E['access'] extends 'public' ? AnyCall : KeyCall) & {
  params: Record<ParameterNames<E['path']>, string>;
} & (E extends { body: infer Body extends TSchema }
    ? {
        /** Valid, with its defaults. */
        body: Static<Body>;
      }
    : unknown);

/** The handler of one endpoint. A handler of a public endpoint receives no key. */
export type Handler<Name extends keyof typeof endpoints> = (
  call: Call<(typeof endpoints)[Name]>,
) => Promise<void> | void;

/** One handler for each endpoint: a missing one is a type error. */
export type Handlers = { [Name in keyof typeof endpoints]: Handler<Name> };

/** Returns who the audit trail names for the changes of a request. */
export function authorOf({ request, key }: KeyCall): Author {
  return { actor: key.id, address: addressOf(request), requestId: request.id as string };
}

/** @throws Problem `not_found` for another organization than the key's own: whether that one exists is private */
export function ownOrganization({ key, params }: KeyCall & { params: { orgId: string } }): string {
  if (params.orgId !== key.org) throw new Problem('not_found');
  return key.org;
}
