/** Reads an organization and rotates its webhook secret. */
import { Problem } from '../../services/problem.ts';
import { findOrganization, rotateWebhookSecret } from '../../store/organizations.ts';
import type { Dependencies } from '../dependencies.ts';
import { authorOf, type Handler, ownOrganization } from '../http/handler.ts';

export function readOrganization(deps: Dependencies): Handler<'readOrganization'> {
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

export function rotateSecret(deps: Dependencies): Handler<'rotateSecret'> {
  return async (call) => {
    const orgId = ownOrganization(call);
    const { gracePeriodSeconds } = await call.readBody();
    const now = new Date(deps.now());
    const { webhookSecret, previousSecretExpiresAt } = await rotateWebhookSecret(
      deps.db,
      deps.vault,
      { id: orgId, gracePeriodSeconds, now },
      authorOf(call),
    );
    call.response.json({
      orgId,
      webhookSecret,
      rotatedAt: now.toISOString(),
      previousSecretExpiresAt: previousSecretExpiresAt?.toISOString() ?? null,
    });
  };
}
