/** The table of keys that sign webhooks asymmetrically. */
import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { Organization } from './organization.ts';
import { time } from './time.ts';

/** The key of an organization that signs its webhooks with Ed25519, and its predecessor during the grace period. */
export const WebhookSigningKey = defineEntity({
  name: 'WebhookSigningKey',
  properties: {
    org: () => p.manyToOne(Organization).mapToPk().primary().deleteRule('cascade'),
    /** `whpk_` and the base64 of 32 bytes, as in Standard Webhooks. */
    publicKey: p.text(),
    /** Encrypted; see `store/signing-keys.ts`. */
    privateKey: p.blob(),
    createdAt: time(),
    previousPublicKey: p.text().nullable(),
    previousPrivateKey: p.blob().nullable(),
    previousExpiresAt: time().nullable(),
  },
});
export type WebhookSigningKey = InferEntity<typeof WebhookSigningKey>;
