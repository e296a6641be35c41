/** Destinations of webhooks that fail, as managers read and resume them. */
import Type, { type Static } from 'typebox';
import { dateTime, orNull } from './fields.ts';
import { requestBody } from './request.ts';

const exampleId = 'dst_0f3c1d2a9b8e7f60415a2b3c4d';

export const webhookDestination = Type.Object(
  {
    id: Type.String({ description: 'The `target` in the audit log.', examples: [exampleId] }),
    url: Type.String({ description: 'The `webhookUrl` of the artworks without its query.' }),
    failingSince: dateTime(
      'The first failed attempt that counts: after the last delivered event, the last pause, or two days without attempts.',
    ),
    lastFailedAt: dateTime('The last failed attempt.'),
    failures: Type.Integer({ description: 'Number of failed attempts, the one at `failingSince` included.' }),
    lastError: Type.String({
      description: 'Why the last attempt failed.',
      examples: ['the receiver responded with 500'],
    }),
    pausedAt: orNull(
      Type.String({ format: 'date-time' }),
      'When the destination was paused; null if it is not paused.',
    ),
  },
  { additionalProperties: false },
);
export type WebhookDestination = Static<typeof webhookDestination>;

export const resumeDestination = requestBody({
  id: Type.String({
    minLength: 1,
    maxLength: 64,
    description: 'The `id` of a paused or failing destination.',
    examples: [exampleId],
  }),
});
