/** An organization, its webhook secret and its keys. */
import { grantableScopes } from '../../schemas/access.ts';
import type { CreateApiKey } from '../../schemas/organization.ts';
import { createKey as insertKey, findKey, revokeKey as markRevoked, viewKey } from '../../store/keys.ts';
import { findOrganization, rotateWebhookSecret } from '../../store/organizations.ts';
import type { Dependencies } from '../dependencies.ts';
import { type Handler, ownOrganization, param } from '../handler.ts';
import { Problem } from '../problem.ts';

export function readOrganization(deps: Dependencies): Handler {
  return async (call) => {
    const organization = await findOrganization(deps.db, ownOrganization(call));
    if (!organization) throw new Problem('not_found');
    const { id, name, createdAt, webhookSecretRotatedAt } = organization;
    call.response.json({
      orgId: id,
      name,
      createdAt: createdAt.toISOString(),
      webhookSecretRotatedAt: webhookSecretRotatedAt?.toISOString() ?? null,
    });
  };
}

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
    if (!domains.every((domain) => key.domains.includes(domain))) throw new Problem('domain_not_grantable');
    if (environment === 'live' && key.environment === 'test') throw new Problem('environment_not_grantable');
    const now = new Date(deps.now());
    const expiry = expiresAt === undefined ? null : new Date(expiresAt);
    // Not `<=`: a leap second is a valid date-time of which JavaScript makes an invalid Date.
    if (expiry && !(expiry > now)) {
      throw new Problem('validation_failed', {
        fields: [{ path: '/expiresAt', rule: 'future', message: 'must be a time in the future' }],
      });
    }
    const fields = { orgId, label, scope, domains, environment, credits, expiresAt: expiry };
    const { row, apiKey } = await insertKey(deps.db, fields, now);
    call.response.status(201).json({ ...viewKey(row, now), apiKey });
  };
}

export function revokeKey(deps: Dependencies): Handler {
  return async (call) => {
    const orgId = ownOrganization(call);
    const keyId = param(call, 'keyId');
    if (keyId === call.key.id) throw new Problem('conflict', { message: 'A key cannot revoke itself.' });
    const now = new Date(deps.now());
    const key = await findKey(deps.db, orgId, keyId);
    if (!key) throw new Problem('not_found', { message: 'The organization has no such key.' });
    if (key.scope === 'admin') {
      throw new Problem('insufficient_scope', { message: 'Admin keys are revoked by the operator only.' });
    }
    await markRevoked(deps.db, keyId, now);
    call.response.json(viewKey({ ...key, revokedAt: key.revokedAt ?? now }, now));
  };
}

export function rotateSecret(deps: Dependencies): Handler {
  return async (call) => {
    const orgId = ownOrganization(call);
    const now = new Date(deps.now());
    const gracePeriodSeconds = Number(call.body['gracePeriodSeconds']);
    const rotation = { id: orgId, gracePeriodSeconds, now };
    const { webhookSecret, previousSecretExpiresAt } = await rotateWebhookSecret(deps.db, deps.vault, rotation);
    call.response.json({
      orgId,
      webhookSecret,
      rotatedAt: now.toISOString(),
      previousSecretExpiresAt: previousSecretExpiresAt?.toISOString() ?? null,
    });
  };
}
