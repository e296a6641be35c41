/** Creates the demo organization and its admin key for a local start. */
import { domains } from '../schemas/access.ts';
import { type Database, openDatabase } from '../store/database.ts';
import { keyStatus } from '../services/key-view.ts';
import { createKey, findKeyBySecret } from '../store/keys.ts';
import { createOrganization, findOrganization, rotateWebhookSecret } from '../store/organizations.ts';
import { openVault } from '../store/vault.ts';

export interface Demo {
  orgId: string;
  adminKey: string;
  webhookSecret: string;
}

const orgId = 'org_demo';

/**
 * Returns the demo organization with its secrets, and creates the parts that are missing.
 * @param known the demo of an earlier start, whose valid parts are kept
 */
export async function ensureDemo(options: { databaseUrl: string; secret: string; known: Demo | null }): Promise<Demo> {
  const { databaseUrl, secret, known } = options;
  const db = openDatabase({ url: databaseUrl, name: 'atelier-operator' });
  try {
    return {
      orgId,
      webhookSecret: await ensureSecret(db, secret, known),
      adminKey: (await stillValid(db, known?.adminKey)) ?? (await createAdminKey(db)),
    };
  } finally {
    await db.close();
  }
}

async function ensureSecret(db: Database, secret: string, known: Demo | null): Promise<string> {
  const vault = openVault(secret);
  const now = new Date();
  const organization = await findOrganization(db, orgId);
  if (!organization) return createOrganization(db, vault, { id: orgId, name: 'Demo', now });
  if (known && falseIfUndecryptable(() => vault.decrypt(organization.webhookSecret) === known.webhookSecret)) {
    return known.webhookSecret;
  }
  const { webhookSecret } = await rotateWebhookSecret(db, vault, { id: orgId, gracePeriodSeconds: 0, now });
  return webhookSecret;
}

/** Decryption throws when the data folder, and with it the encryption secret, was deleted but the database was kept. */
function falseIfUndecryptable(compare: () => boolean): boolean {
  try {
    return compare();
  } catch {
    return false;
  }
}

async function stillValid(db: Database, adminKey: string | undefined): Promise<string | undefined> {
  const key = adminKey === undefined ? null : await findKeyBySecret(db, adminKey);
  return key?.org === orgId && keyStatus(key, new Date()) === 'active' ? adminKey : undefined;
}

async function createAdminKey(db: Database): Promise<string> {
  const fields = { label: 'demo admin', scope: 'admin', environment: 'live' } as const;
  const key = { ...fields, orgId, domains: [...domains], credits: 0, expiresAt: null };
  const { apiKey } = await createKey(db, key, new Date());
  return apiKey;
}
