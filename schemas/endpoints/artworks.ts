/** Endpoints that read, change and follow artworks. */
import Type from 'typebox';
import { byScope } from '../access.ts';
import { artwork, updateArtwork } from '../artwork.ts';
import { artworksQuery, followedEvent, lastEventId } from '../artwork-feed.ts';
import { delivery } from '../delivery.ts';
import { listOf, wholeListOf } from '../page.ts';
import { step } from '../timeline.ts';
import type { Endpoint } from '../endpoint.ts';

/** The keys that may change an artwork. */
const changers = 'Only the key that created the artwork and admin keys can do this.';

export const artworks = {
  listArtworks: {
    method: 'GET',
    path: '/v2/artworks',
    tag: 'Artworks',
    summary: 'List the artworks that your key can read, newest first.',
    description:
      'A generator key lists the artworks that it created. Manager and admin keys list all artworks of their ' +
      'organization. The list contains artworks of the environment and of the domains that the key has.',
    access: byScope('generator'),
    uses: { kind: 'artwork', use: 'read' },
    query: artworksQuery,
    responses: { 200: { description: 'A page of artworks.', schema: listOf(artwork) } },
    errors: ['validation_failed'],
  },
  readArtwork: {
    method: 'GET',
    path: '/v2/artworks/:id',
    tag: 'Artworks',
    summary: 'Read an artwork.',
    description:
      'A generator key reads the artworks that it created. Manager and admin keys read all artworks of their ' +
      'organization. The key needs the environment and the domain of the artwork. When the retention ends, the ' +
      'response is 404.',
    access: byScope('generator'),
    uses: { kind: 'artwork', use: 'read' },
    responses: { 200: { description: 'The artwork.', schema: artwork } },
    errors: ['not_found'],
  },
  cancelArtwork: {
    method: 'POST',
    path: '/v2/artworks/:id/cancel',
    tag: 'Artworks',
    summary: 'Cancel an artwork that has not ended.',
    description:
      'With this response, the artwork is CANCELED and costs nothing. Its images are deleted, its webhook receives one ' +
      '`artwork.canceled`, and you can read it until its retention ends. An artwork that has ended returns 409. ' +
      changers,
    access: byScope('generator'),
    uses: { kind: 'artwork', use: 'change' },
    responses: { 202: { description: 'The canceled artwork. Its engines are stopping.', schema: artwork } },
    errors: ['not_found', 'not_cancelable'],
  },
  deleteArtwork: {
    method: 'DELETE',
    path: '/v2/artworks/:id',
    tag: 'Artworks',
    summary: 'Delete an artwork and everything that belongs to it.',
    description:
      'Deletes its images, inputs and deliveries, stops the work on it, and sends no event. Styles that it encoded ' +
      'and totals of usage and credits are kept. ' +
      changers,
    access: byScope('generator'),
    uses: { kind: 'artwork', use: 'change' },
    responses: { 204: { description: 'The artwork is deleted.' } },
    errors: ['not_found'],
  },
  updateArtwork: {
    method: 'PATCH',
    path: '/v2/artworks/:id',
    tag: 'Artworks',
    summary: 'Change the webhook URL of an artwork.',
    description:
      'The next delivery attempt uses the new URL; `redeliver` makes an attempt now. If no attempt is left, or the ' +
      'artwork has no URL, the response is 409: read the artwork by its id. ' +
      changers,
    access: byScope('generator'),
    uses: { kind: 'artwork', use: 'change' },
    body: updateArtwork,
    bodyExample: { webhookUrl: 'https://example.com/hooks/atelier' },
    responses: { 200: { description: 'The artwork.', schema: artwork } },
    errors: ['not_found', 'conflict'],
  },
  redeliverArtwork: {
    method: 'POST',
    path: '/v2/artworks/:id/redeliver',
    tag: 'Artworks',
    summary: 'Redeliver the event of an artwork now.',
    description:
      'Sends the same `eventId` and the same bytes, whether or not attempts are left; `GET …/deliveries` shows the ' +
      'result. The schedule continues, unless this attempt succeeds. The response is 409 before the artwork has ended, ' +
      'without a `webhookUrl`, and after 100 redeliveries. ' +
      changers,
    access: byScope('generator'),
    uses: { kind: 'artwork', use: 'change' },
    responses: { 202: { description: 'The artwork. Redelivery is scheduled.', schema: artwork } },
    errors: ['not_found', 'conflict'],
  },
  streamEvents: {
    method: 'GET',
    path: '/v2/artworks/:id/events',
    tag: 'Artworks',
    summary: 'Follow an artwork until it ends, with server-sent events.',
    description:
      'Sends `status`, with the artwork, when its status changes, and `progress` when a call of its plan finishes, ' +
      'fails or is retried. The stream starts with the current status and progress, and closes after the final status. ' +
      'It also closes when the artwork is deleted, when the key can no longer read it, and when the service restarts. ' +
      'Then reconnect with `Last-Event-ID` to receive only new events. Every 15 seconds, a comment shows that the ' +
      'stream is alive. The stream counts as one request.',
    access: byScope('generator'),
    uses: { kind: 'artwork', use: 'read' },
    headers: lastEventId,
    responses: {
      200: {
        description: 'The events. Their data is the artwork (`status`) or its progress (`progress`).',
        contentType: 'text/event-stream',
        schema: followedEvent,
      },
      204: { description: 'The artwork has ended, and you have received its final status. There are no more events.' },
    },
    errors: ['not_found'],
  },
  readTimeline: {
    method: 'GET',
    path: '/v2/artworks/:id/timeline',
    tag: 'Artworks',
    summary: 'Read the timeline of an artwork, oldest step first.',
    description: 'Shows its wait for a worker, every attempt of every call, and every delivery attempt.',
    access: byScope('generator'),
    uses: { kind: 'artwork', use: 'read' },
    responses: { 200: { description: 'The steps.', schema: wholeListOf(step) } },
    errors: ['not_found'],
  },
  listDeliveries: {
    method: 'GET',
    path: '/v2/artworks/:id/deliveries',
    tag: 'Artworks',
    summary: 'List the delivery attempts for the event of an artwork, oldest first.',
    access: byScope('generator'),
    uses: { kind: 'artwork', use: 'read' },
    responses: { 200: { description: 'The delivery attempts.', schema: wholeListOf(delivery) } },
    errors: ['not_found'],
  },
  readImage: {
    method: 'GET',
    path: '/v2/images/:artworkId/:name',
    tag: 'Artworks',
    summary: 'Download an image by the signed link from its artwork.',
    description:
      'Follow redirects: where the service keeps images in object storage, the response is a 302 to a URL that works ' +
      'for a few minutes. `If-None-Match` and `Range` are supported, also by that URL.',
    access: 'public',
    query: Type.Object({
      expires: Type.String({ description: 'Unix time in seconds.' }),
      signature: Type.String({ description: 'Created by the service; see images[].url.' }),
    }),
    responses: {
      200: {
        description: 'The file.',
        contentType: 'image/*',
        headers: { ETag: 'The SHA-256 of the file, in quotes.', 'Content-Disposition': 'A name for the saved file.' },
      },
      206: {
        description: 'The part of the file that the header `Range` names.',
        contentType: 'image/*',
        headers: { 'Content-Range': 'The positions of the part, such as `bytes 0-99/1234`.' },
      },
      302: { description: 'The file is at another URL.', headers: { Location: 'A URL that expires soon.' } },
      304: { description: 'The client has the file, according to `If-None-Match`.' },
      416: {
        description: 'The file ends before the part begins.',
        headers: { 'Content-Range': 'The size of the file, such as `bytes */1234`.' },
      },
    },
    errors: ['not_found'],
  },
} as const satisfies Record<string, Endpoint>;
