/** Creates organizations directly in the database, without the operator command. */
import type { Database } from '../../store/database.ts';
import { newId } from '../../store/ids.ts';
import { createOrganization } from '../../store/organizations.ts';
import { openVault } from '../../store/vault.ts';

/** @param secret the secret of the service, which encrypts the organization's webhook secret */
export async function createTestOrganization(db: Database, secret: string) {
  const orgId = newId('org');
  const webhookSecret = await createOrganization(db, openVault(secret), { id: orgId, name: 'Test', now: new Date() });
  return { orgId, webhookSecret };
}
