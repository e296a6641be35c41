/** Creates the demo organization and its admin key for a local start, and changes nothing that exists. */
import { domains } from '../schemas/access.ts';
import { type Database, openDatabase } from '../store/database.ts';
import type { ApiKey } from '../store/entities.ts';
import { keyStatus } from '../services/key-view.ts';
import { createKey, findKeyBySecret } from '../store/keys.ts';
import { createOrganization, findOrganization } from '../store/organizations.ts';
import { openVault, type Vault } from '../store/vault.ts';

interface Demo {
  orgId: string;
  adminKey: string;
  /** Null when it was encrypted with a secret that the vault does not have. */
  webhookSecret: string | null;
}

interface Options {
  databaseUrl: string;
  secret: string;
  previousSecret?: string | null;
  /** The demo of an earlier start, whose key is kept while it is active. */
  known: Pick<Demo, 'adminKey'> | null;
}

const orgId = 'org_demo';

/**
 * Returns the demo organization with its secrets, and creates the parts that are missing.
 * @returns also one notice for each part that differs from what the user knows, with what to do
 */
export async function ensureDemo(options: Options): Promise<Demo & { notices: string[] }> {
  const { databaseUrl, secret, previousSecret = null, known } = options;
  const db = openDatabase({ url: databaseUrl, name: 'atelier-operator' });
  try {
    const vault = openVault(secret, previousSecret);
    const organization = await findOrganization(db, orgId);
    const webhookSecret = organization
      ? decrypted(vault, organization.webhookSecret)
      : await createOrganization(db, vault, { id: orgId, name: 'Demo', now: new Date() });
    const { adminKey, notice } = await ensureAdminKey(db, known?.adminKey, organization === null);
    const notices = [webhookSecret === null ? undecryptable : null, notice].filter((one) => one !== null);
    return { orgId, adminKey, webhookSecret, notices };
  } finally {
    await db.close();
  }
}

const undecryptable =
  `The webhook secret of ${orgId} was encrypted with another ATELIER_SECRET, so its deliveries cannot be signed. ` +
  'Stop the service and start it with that ATELIER_SECRET. If it is lost, replace the webhook secret: send ' +
  `{"gracePeriodSeconds": 0} to POST /v2/organizations/${orgId}/webhook-secret, and start the service again.`;

function decrypted(vault: Vault, bytes: Uint8Array): string | null {
  try {
    return vault.decrypt(bytes, orgId);
  } catch {
    return null;
  }
}

/** @param known the key of an earlier start */
async function ensureAdminKey(
  db: Database,
  known: string | undefined,
  firstStart: boolean,
): Promise<{ adminKey: string; notice: string | null }> {
  const now = new Date();
  const found = known === undefined ? null : await findKeyBySecret(db, known, now);
  const key = found?.org === orgId ? found : null;
  if (known !== undefined && key && keyStatus(key, now) === 'active') return { adminKey: known, notice: null };
  const fields = { label: 'demo admin', scope: 'admin', environment: 'live' } as const;
  const newKey = { ...fields, orgId, domains: [...domains], credits: 0, expiresAt: null };
  const { row, apiKey } = await createKey(db, newKey, now);
  const created = `This start created the admin key ${row.id}.`;
  return { adminKey: apiKey, notice: firstStart ? null : `${reason(key, now)} ${created}` };
}

/** @param key the key of an earlier start, which is not active; null if there is none */
function reason(key: ApiKey | null, now: Date): string {
  if (!key) return `The data folder contains no admin key of ${orgId} in this database. Keys that exist still work.`;
  const status = keyStatus(key, now);
  return `The demo key ${key.id} is ${status}; it stays ${status}.`;
}
