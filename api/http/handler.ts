/** Types of handlers. A handler runs after its request was authenticated, counted and authorized. */
import type { Request, Response } from 'express';
import type { Static, TSchema } from 'typebox';
import type { Endpoint } from '../../schemas/endpoint.ts';
import type { endpoints } from '../../schemas/endpoints.ts';
import type { Author } from '../../store/audit.ts';
import type { ApiKey } from '../../store/entities.ts';
import { Problem } from '../../services/problem.ts';
import { addressOf } from './client-address.ts';

/** The arguments of every handler. A "call" here is an HTTP request with its response, not an engine call. */
interface AnyCall {
  request: Request;
  response: Response;
}

/** The arguments of a handler whose endpoint needs a key. */
export interface KeyCall extends AnyCall {
  /** The key that sent the request. */
  key: ApiKey;
}

/** The names of the parameters in a path: `'id'` for `/v2/artworks/:id/cancel`. */
type ParameterNames<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParameterNames<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

export type Call<E extends Endpoint> = (E['access'] extends 'public' ? AnyCall : KeyCall) & {
  params: Record<ParameterNames<E['path']>, string>;
} & (E extends { body: infer Body extends TSchema }
    ? {
        /**
         * Reads the body, valid and with its defaults. A handler first looks up what the path names, so that a body for
         * an unknown id is not read.
         */
        readBody(): Promise<Static<Body>>;
      }
    : unknown);

/** The handler of one endpoint. A handler of a public endpoint receives no key. */
export type Handler<Name extends keyof typeof endpoints> = (
  call: Call<(typeof endpoints)[Name]>,
) => Promise<void> | void;

/** One handler for each endpoint. A missing handler is a type error. */
export type Handlers = { [Name in keyof typeof endpoints]: Handler<Name> };

/** Returns the author that the audit log records for the changes of a request. */
export function authorOf({ request, key }: KeyCall): Author {
  return { actor: key.id, operatorName: null, address: addressOf(request), requestId: request.id as string };
}

/** Returns the key's organization. @throws Problem `not_found` for any other, whether it exists or not */
export function ownOrganization({ key, params }: KeyCall & { params: { orgId: string } }): string {
  if (params.orgId !== key.org) throw new Problem('not_found');
  return key.org;
}
