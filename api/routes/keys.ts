/** The API keys of an organization, as its admins manage them. */
import { type Domain, type Environment, grantableScopes } from '../../schemas/access.ts';
import { type CreateApiKey, latestExpiry, type UpdateApiKey } from '../../schemas/organization.ts';
import { viewKey } from '../../services/key-view.ts';
import * as store from '../../store/keys.ts';
import type { ApiKey } from '../../store/entities.ts';
import type { Dependencies } from '../dependencies.ts';
import { authorOf, type Call, type Handler, ownOrganization, param } from '../http/handler.ts';
import { pageOf, toPage } from '../http/page.ts';
import { Problem } from '../../services/problem.ts';

export function createKey(deps: Dependencies): Handler {
  return async (call) => {
    const orgId = ownOrganization(call);
    const { key } = call;
    const {
      label,
      scope,
      domains,
      credits,
      environment = key.environment,
      expiresAt,
    } = call.body as unknown as CreateApiKey;
    if (!grantableScopes.some((grantable) => grantable === scope)) throw new Problem('scope_not_grantable');
    refuseGrant(key, { domains, environment });
    const now = new Date(deps.now());
    const fields = { orgId, label, scope, domains, environment, credits, expiresAt: futureOf(expiresAt, now) ?? null };
    const { row, apiKey } = await store.createKey(deps.db, fields, now, authorOf(call));
    call.response.status(201).json({ ...viewKey(row, now), apiKey });
  };
}

export function listKeys(deps: Dependencies): Handler {
  return async (call) => {
    const orgId = ownOrganization(call);
    const { limit, cursor } = pageOf(call.request);
    const keys = await store.listKeys(deps.db, orgId, { limit: limit + 1, before: cursor });
    const now = new Date(deps.now());
    call.response.json(toPage(keys, limit, (key) => viewKey(key, now)));
  };
}

export function readKey(deps: Dependencies): Handler {
  return async (call) => {
    const key = await namedKey(deps, call);
    call.response.json(viewKey(key, new Date(deps.now())));
  };
}

export function updateKey(deps: Dependencies): Handler {
  return async (call) => {
    const key = await namedKey(deps, call);
    refuseAdmin(key, 'changed');
    refuseGrant(call.key, key);
    const { label, credits, expiresAt } = call.body as UpdateApiKey;
    const now = new Date(deps.now());
    const changes = { label, credits, expiresAt: futureOf(expiresAt, now) };
    const changed = await store.updateKey(deps.db, { orgId: key.org, id: key.id }, changes, now, authorOf(call));
    if (!changed) throw new Problem('conflict', { message: 'A revoked key stays as it is. Make a new one.' });
    call.response.json(viewKey(changed, now));
  };
}

export function revokeKey(deps: Dependencies): Handler {
  return async (call) => {
    const orgId = ownOrganization(call);
    if (param(call, 'keyId') === call.key.id) throw new Problem('conflict', { message: 'A key cannot revoke itself.' });
    const key = await namedKey(deps, call);
    refuseAdmin(key, 'revoked');
    refuseLive(call.key, key);
    const now = new Date(deps.now());
    await store.revokeKey(deps.db, key.id, now, authorOf(call));
    call.response.json(viewKey((await store.findKey(deps.db, orgId, key.id)) ?? key, now));
  };
}

/** @throws Problem 404 where the caller's organization has no such key */
async function namedKey(deps: Dependencies, call: Call): Promise<ApiKey> {
  const key = await store.findKey(deps.db, ownOrganization(call), param(call, 'keyId'));
  if (!key) throw new Problem('not_found', { message: 'The organization has no such key.' });
  return key;
}

function refuseAdmin({ scope }: ApiKey, done: string): void {
  if (scope !== 'admin') return;
  throw new Problem('insufficient_scope', { message: `Admin keys are ${done} by the operator only.` });
}

/** Nobody gives what it has not: neither in a new key, nor by giving an old one more time or credits. */
function refuseGrant(caller: ApiKey, given: { domains: Domain[]; environment: Environment }): void {
  if (!given.domains.every((domain) => caller.domains.includes(domain))) throw new Problem('domain_not_grantable');
  refuseLive(caller, given);
}

/** What a test key does changes nothing that is live. */
function refuseLive(caller: ApiKey, { environment }: { environment: Environment }): void {
  if (environment === 'live' && caller.environment === 'test') throw new Problem('environment_not_grantable');
}

/** @returns null: never; undefined: nothing is said */
function futureOf(expiresAt: string | null | undefined, now: Date): Date | null | undefined {
  if (expiresAt === null || expiresAt === undefined) return expiresAt;
  const expiry = new Date(expiresAt);
  // Not `<=`: a leap second is a valid date-time of which JavaScript makes an invalid Date.
  if (!(expiry > now)) throw wrongExpiry('future', 'must be a time in the future');
  if (expiry > latestExpiry) throw wrongExpiry('range', `must not be after ${latestExpiry.toISOString()}`);
  return expiry;
}

const wrongExpiry = (rule: string, message: string) =>
  new Problem('validation_failed', { fields: [{ path: '/expiresAt', rule, message }] });
