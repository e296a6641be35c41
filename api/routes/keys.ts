/** Manages the API keys of an organization on behalf of its admins. */
import { type Domain, type Environment, grantableScopes } from '../../schemas/access.ts';
import { crossEnvironments } from '../../schemas/object-access.ts';
import { latestExpiry } from '../../schemas/organization.ts';
import { viewKey } from '../../services/key-view.ts';
import { Problem } from '../../services/problem.ts';
import type { ApiKey } from '../../store/entities.ts';
import * as store from '../../store/keys.ts';
import type { Dependencies } from '../dependencies.ts';
import { authorOf, type Handler, type KeyCall, ownOrganization } from '../http/handler.ts';
import { pageOf, toPage } from '../http/page.ts';

export function createKey(deps: Dependencies): Handler<'createKey'> {
  return async (call) => {
    const orgId = ownOrganization(call);
    const { key, body } = call;
    const { label, scope, domains, credits, environment = key.environment, expiresAt } = body;
    if (!grantableScopes.some((grantable) => grantable === scope)) throw new Problem('scope_not_grantable');
    refuseGrant(key, { domains, environment });
    const now = new Date(deps.now());
    const fields = {
      orgId,
      label,
      scope,
      domains,
      environment,
      credits,
      expiresAt: readExpiry(expiresAt, now) ?? null,
    };
    const { row, apiKey } = await store.createKey(deps.db, fields, now, authorOf(call));
    call.response.status(201).json({ ...viewKey(row, now), apiKey });
  };
}

export function listKeys(deps: Dependencies): Handler<'listKeys'> {
  return async (call) => {
    const orgId = ownOrganization(call);
    const { limit, cursor } = pageOf(call.request);
    const keys = await store.listKeys(deps.db, orgId, { limit: limit + 1, before: cursor });
    const now = new Date(deps.now());
    call.response.json(toPage(keys, limit, (key) => viewKey(key, now)));
  };
}

export function readKey(deps: Dependencies): Handler<'readKey'> {
  return async (call) => {
    const key = await findNamedKey(deps, call);
    call.response.json(viewKey(key, new Date(deps.now())));
  };
}

export function updateKey(deps: Dependencies): Handler<'updateKey'> {
  return async (call) => {
    const key = await findNamedKey(deps, call);
    refuseAdmin(key, 'change');
    refuseGrant(call.key, key);
    const { label, credits, expiresAt } = call.body;
    const now = new Date(deps.now());
    const changes = { label, credits, expiresAt: readExpiry(expiresAt, now) };
    const changed = await store.updateKey(deps.db, { orgId: key.org, id: key.id }, changes, now, authorOf(call));
    if (!changed) throw new Problem('conflict', { message: 'A revoked key cannot be changed. Create a new one.' });
    call.response.json(viewKey(changed, now));
  };
}

export function revokeKey(deps: Dependencies): Handler<'revokeKey'> {
  return async (call) => {
    const orgId = ownOrganization(call);
    if (call.params.keyId === call.key.id) throw new Problem('conflict', { message: 'A key cannot revoke itself.' });
    const key = await findNamedKey(deps, call);
    refuseAdmin(key, 'revoke');
    const now = new Date(deps.now());
    await store.revokeKey(deps.db, key.id, now, authorOf(call));
    call.response.json(viewKey((await store.findKey(deps.db, orgId, key.id)) ?? key, now));
  };
}

type NamedKeyCall = KeyCall & { params: { orgId: string; keyId: string } };

/** @throws Problem `not_found` when the caller's organization has no such key */
async function findNamedKey(deps: Dependencies, call: NamedKeyCall): Promise<ApiKey> {
  const key = await store.findKey(deps.db, ownOrganization(call), call.params.keyId);
  if (!key) throw new Problem('not_found', { message: 'Your organization has no such key.' });
  return key;
}

function refuseAdmin({ scope }: ApiKey, action: 'change' | 'revoke'): void {
  if (scope !== 'admin') return;
  throw new Problem('insufficient_scope', { message: `Only the operator can ${action} admin keys.` });
}

/** Rejects a grant of a permission that the caller lacks, to a new key or to an existing one. */
function refuseGrant(caller: ApiKey, granted: { domains: readonly Domain[]; environment: Environment }): void {
  if (!granted.domains.every((domain) => caller.domains.includes(domain))) throw new Problem('domain_not_grantable');
  const isCrossed = granted.environment !== caller.environment;
  if (isCrossed && crossEnvironments(caller.environment, 'key', 'change') === 'refused') {
    throw new Problem('environment_not_grantable');
  }
}

/** Returns the expiry; null for a key that never expires, undefined when the request does not set it. */
function readExpiry(expiresAt: string | null | undefined, now: Date): Date | null | undefined {
  if (expiresAt === null || expiresAt === undefined) return expiresAt;
  const expiry = new Date(expiresAt);
  // Not `<=`: a leap second is a valid date-time, but JavaScript makes an invalid Date of it.
  if (!(expiry > now)) throw invalidExpiry('future', 'must be a time in the future');
  if (expiry > latestExpiry) throw invalidExpiry('range', `must not be after ${latestExpiry.toISOString()}`);
  return expiry;
}

const invalidExpiry = (rule: string, message: string) =>
  new Problem('validation_failed', { fields: [{ path: '/expiresAt', rule, message }] });
