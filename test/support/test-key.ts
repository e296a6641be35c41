/** Creates API keys directly in the database, without a request. */
import { domains } from '../../schemas/access.ts';
import type { Database } from '../../store/database.ts';
import { createKey, type NewKey } from '../../store/keys.ts';

export interface TestKey {
  id: string;
  apiKey: string;
}

/** Creates a key; by default a live generator key with all domains and no credits, which never expires. */
export async function createTestKey(db: Database, fields: Partial<NewKey> & Pick<NewKey, 'orgId'>): Promise<TestKey> {
  const defaults = { label: 'test', scope: 'generator', environment: 'live', credits: 0, expiresAt: null } as const;
  const { row, apiKey } = await createKey(db, { ...defaults, domains: [...domains], ...fields }, new Date());
  return { id: row.id, apiKey };
}
