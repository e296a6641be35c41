/** Creates, rotates, reads and deletes the key that signs an organization's webhooks asymmetrically. */
import { Problem } from '../../services/problem.ts';
import type { SigningKeyView } from '../../schemas/signing-key.ts';
import type { WebhookSigningKey } from '../../store/entities.ts';
import { deleteSigningKey, findSigningKey, isInGrace, rotateSigningKey } from '../../store/signing-keys.ts';
import type { Dependencies } from '../dependencies.ts';
import { authorOf, type Handler, ownOrganization } from '../http/handler.ts';

export function rotateWebhookSigningKey(deps: Dependencies): Handler<'rotateWebhookSigningKey'> {
  return async (call) => {
    const org = ownOrganization(call);
    const { gracePeriodSeconds } = await call.readBody();
    const now = new Date(deps.now());
    const rotation = { org, gracePeriodSeconds, now };
    call.response.json(view(await rotateSigningKey(deps.db, deps.vault, rotation, authorOf(call)), now));
  };
}

export function readWebhookSigningKey(deps: Dependencies): Handler<'readWebhookSigningKey'> {
  return async (call) => {
    const key = await findSigningKey(deps.db, ownOrganization(call));
    if (!key) throw noKey();
    call.response.json(view(key, new Date(deps.now())));
  };
}

export function deleteWebhookSigningKey(deps: Dependencies): Handler<'deleteWebhookSigningKey'> {
  return async (call) => {
    const org = ownOrganization(call);
    if (!(await deleteSigningKey(deps.db, org, new Date(deps.now()), authorOf(call)))) throw noKey();
    call.response.status(204).end();
  };
}

const noKey = () => new Problem('not_found', { message: 'Your organization has no webhook signing key.' });

function view(key: WebhookSigningKey, now: Date): SigningKeyView {
  const isOver = !isInGrace(key, now);
  return {
    orgId: key.org,
    publicKey: key.publicKey,
    createdAt: key.createdAt.toISOString(),
    previousPublicKey: isOver ? null : (key.previousPublicKey ?? null),
    previousKeyExpiresAt: isOver ? null : (key.previousExpiresAt?.toISOString() ?? null),
  };
}
