/** Creates the key of a client that ignores its limits. */
import { operator } from '../../../store/audit.ts';
import { updateKey } from '../../../store/keys.ts';
import { openTestDatabase } from '../open-database.ts';
import type { Service } from '../stack.ts';
import { createTestKey } from '../test-key.ts';
import { createTestOrganization } from '../test-organization.ts';

/** Creates an organization with a key that may send one creation and one other request per minute. */
export async function createLimitedKey({ databaseUrl, secret }: Service): Promise<string> {
  const db = openTestDatabase(databaseUrl);
  const { orgId } = await createTestOrganization(db, secret);
  const { id, apiKey } = await createTestKey(db, { orgId });
  await updateKey(db, { orgId, id }, { rateCreations: 1, rateOthers: 1 }, new Date(), operator);
  await db.close();
  return apiKey;
}
