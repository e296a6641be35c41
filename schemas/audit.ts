/** The audit log of changes, as admins read it. */
import Type, { type Static } from 'typebox';
import { dateTime, orNull } from './fields.ts';

export const auditActions = [
  'organization.created',
  'organization.limits_changed',
  'organization.erased',
  'api_key.created',
  'api_key.updated',
  'api_key.rolled',
  'api_key.revoked',
  'webhook_secret.rotated',
  'webhook_signing_key.rotated',
  'webhook_signing_key.deleted',
  'webhook_destination.paused',
  'webhook_destination.resumed',
  'webhook_secret.reencrypted',
  'artwork.canceled',
  'artwork.deleted',
  'artwork.updated',
  'artwork.redelivered',
  'artwork.retried',
  'artwork.revived',
  'artworks.revived',
  'file.deleted',
  'style.deleted',
  'files.moved',
  'engine.paused',
  'engine.resumed',
  'database.migrated',
] as const;
export type AuditAction = (typeof auditActions)[number];

export const auditEntry = Type.Object(
  {
    id: Type.String({ examples: ['aud_01KAJ3V8C0Q5M2X7ZB4N9TDWEH'] }),
    at: dateTime('When the change was made.'),
    actor: Type.String({
      description: 'The id of the API key that made the change, `operator`, or `service` for the service itself.',
    }),
    action: Type.Enum([...auditActions]),
    target: Type.String({
      description:
        'The id of the changed object: an API key, organization, webhook destination, artwork, file or style.',
    }),
    changes: Type.Record(Type.String(), Type.Unknown(), {
      description:
        'For a new object, its fields; for a change, `{from, to}` by field, or the names of the changed `fields` of an ' +
        'artwork. Never contains a secret.',
    }),
    address: orNull(Type.String(), "The client's IP address; null for the operator and the service."),
    requestId: orNull(Type.String(), 'The id of the request; null for the operator and the service.'),
  },
  { additionalProperties: false },
);
export type AuditView = Static<typeof auditEntry>;

/** The message of the log line that names a new seal. `operator audit verify --log` looks for it. */
export const sealedMessage = 'Sealed audit entries';
