/** Manages the API keys of an organization on behalf of its admins. */
import { type Domain, type Environment, grantableScopes } from '../../schemas/access.ts';
import { crossEnvironments } from '../../schemas/object-access.ts';
import { keyStatus, viewKey } from '../../services/key-view.ts';
import { Problem, rejectFailures } from '../../services/problem.ts';
import { isDateTime, notDateTime } from '../../services/validate.ts';
import type { ApiKey } from '../../store/entities.ts';
import * as store from '../../store/keys.ts';
import { rollKey as rollStoredKey } from '../../store/roll-key.ts';
import type { Dependencies } from '../dependencies.ts';
import { authorOf, type Handler, type KeyCall, ownOrganization } from '../http/handler.ts';
import { isIdCursor, readPage, toPage } from '../http/page.ts';
import { latestFor, readExpiry } from './key-expiry.ts';

export function createKey(deps: Dependencies): Handler<'createKey'> {
  return async (call) => {
    const orgId = ownOrganization(call);
    const { key } = call;
    const body = await call.readBody();
    const { label, scope, domains, credits, environment = key.environment, expiresAt, allowedAddresses } = body;
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
      expiresAt: readExpiry(expiresAt ?? null, key, now) ?? null,
      allowedAddresses: allowedAddresses ?? null,
    };
    const { keys: limit } = await deps.limitsOf(orgId);
    const { row, apiKey } = await store.createKey(deps.db, fields, now, authorOf(call), limit);
    call.response.status(201).json({ ...viewKey(row, now), apiKey });
  };
}

export function listKeys(deps: Dependencies): Handler<'listKeys'> {
  return async (call) => {
    const orgId = ownOrganization(call);
    const now = new Date(deps.now());
    const { limit, before, unusedSince } = readFilter(call);
    const unused = unusedSince && { since: unusedSince, now };
    const keys = await store.listKeys(deps.db, orgId, { limit: limit + 1, before, unused });
    call.response.json(toPage(keys, limit, (key) => viewKey(key, now)));
  };
}

/** @throws Problem `validation_failed` with everything that is wrong */
function readFilter({ request }: KeyCall): { limit: number; before: string | null; unusedSince: Date | null } {
  const { failures, limit, cursor } = readPage(request, isIdCursor);
  const { unusedSince } = request.query;
  const isTime = typeof unusedSince === 'string' && isDateTime(unusedSince) && !Number.isNaN(Date.parse(unusedSince));
  if (unusedSince !== undefined && !isTime) {
    failures.push({ path: '/unusedSince', rule: 'format', message: notDateTime });
  }
  rejectFailures(failures);
  return { limit, before: cursor, unusedSince: isTime ? new Date(unusedSince) : null };
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
    const { label, credits, expiresAt, allowedAddresses } = await call.readBody();
    const now = new Date(deps.now());
    const changes = { label, credits, expiresAt: readExpiry(expiresAt, call.key, now), allowedAddresses };
    const [named, { keys: limit }] = [{ orgId: key.org, id: key.id }, await deps.limitsOf(key.org)];
    const changed = await store.updateKey(deps.db, named, changes, now, authorOf(call), limit);
    if (!changed) throw revoked();
    call.response.json(viewKey(changed, now));
  };
}

export function rollKey(deps: Dependencies): Handler<'rollKey'> {
  return async (call) => {
    const key = await findNamedKey(deps, call);
    refuseAdmin(key, 'roll');
    refuseGrant(call.key, key);
    const { gracePeriodSeconds } = await call.readBody();
    const now = new Date(deps.now());
    const check = (locked: ApiKey) => {
      if (keyStatus(locked, now) === 'expired') throw expired();
      refuseLongLife(locked, call.key, now);
    };
    const roll = { orgId: key.org, id: key.id, gracePeriodSeconds, now, check };
    const rolled = await rollStoredKey(deps.db, roll, authorOf(call));
    if (!rolled) throw revoked();
    const { row, apiKey, previousKeyExpiresAt } = rolled;
    const view = { ...viewKey(row, now), apiKey };
    call.response.json({ ...view, previousKeyExpiresAt: previousKeyExpiresAt?.toISOString() ?? null });
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

/** @throws Problem `conflict` when the caller could not create a key that lives as long */
function refuseLongLife({ expiresAt }: ApiKey, caller: ApiKey, now: Date): void {
  const latest = latestFor(caller, now);
  if (!latest || (expiresAt && expiresAt <= latest)) return;
  const message = `Your key can roll only keys that expire within ${caller.maxKeyDays} days. Set an earlier expiresAt first.`;
  throw new Problem('conflict', { message });
}

const revoked = () => new Problem('conflict', { message: 'A revoked key cannot be changed. Create a new one.' });
const expired = () =>
  new Problem('conflict', { message: 'An expired key cannot be rolled. Set a later expiresAt first.' });

type NamedKeyCall = KeyCall & { params: { orgId: string; keyId: string } };

/** @throws Problem `not_found` when the caller's organization has no such key */
async function findNamedKey(deps: Dependencies, call: NamedKeyCall): Promise<ApiKey> {
  const key = await store.findKey(deps.db, ownOrganization(call), call.params.keyId);
  if (!key) throw new Problem('not_found', { message: 'Your organization has no such key.' });
  return key;
}

function refuseAdmin({ scope }: ApiKey, action: 'change' | 'roll' | 'revoke'): void {
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
