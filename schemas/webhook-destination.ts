/** Destinations of webhooks that fail, as managers read and resume them. */
import Type, { type Static } from 'typebox';
import { dateTime, orNull } from './fields.ts';
import { requestBody } from './request.ts';

const origin = (description: string) =>
  Type.String({ minLength: 1, maxLength: 512, description, examples: ['https://example.com'] });

export const webhookDestination = Type.Object(
  {
    id: Type.String({ description: 'The `target` in the audit log.', examples: ['dst_0f3c1d2a9b8e7f60415a2b3c4d'] }),
    origin: origin('Protocol, host and port of the `webhookUrl` of the artworks.'),
    failingSince: dateTime('The first failed attempt since the last delivered event.'),
    lastFailedAt: dateTime('The last failed attempt.'),
    failures: Type.Integer({ description: 'Number of failed attempts since then.' }),
    lastError: Type.String({
      description: 'Why the last attempt failed.',
      examples: ['the receiver responded with 500'],
    }),
    pausedAt: orNull(
      Type.String({ format: 'date-time' }),
      'Since when attempts are not made; null if the destination is not paused.',
    ),
  },
  { additionalProperties: false },
);
export type WebhookDestination = Static<typeof webhookDestination>;

export const resumeDestination = requestBody({ origin: origin('The `origin` of a paused or failing destination.') });
