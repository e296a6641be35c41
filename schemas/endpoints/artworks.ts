/** Reading, steering and following artworks. */
import Type from 'typebox';
import { byScope } from '../access.ts';
import { artwork, updateArtwork } from '../artwork.ts';
import { artworksQuery, followedEvent, lastEventId } from '../artwork-feed.ts';
import { delivery } from '../delivery.ts';
import { listOf, wholeListOf } from '../page.ts';
import { step } from '../timeline.ts';
import type { Endpoint } from '../endpoint.ts';

export const artworks = {
  listArtworks: {
    method: 'GET',
    path: '/v2/artworks',
    tag: 'Artworks',
    summary: 'The artworks that you may read, newest first.',
    description:
      'A generator key finds what it made itself, manager and admin keys all of their organization; of the domains ' +
      'that the key has.',
    access: byScope('generator'),
    query: artworksQuery,
    answers: { 200: { description: 'A page of artworks.', schema: listOf(artwork) } },
    errors: ['validation_failed'],
  },
  readArtwork: {
    method: 'GET',
    path: '/v2/artworks/:id',
    tag: 'Artworks',
    summary: 'Read an artwork.',
    description:
      'A generator key reads what it made itself, manager and admin keys all of their organization. ' +
      'The key needs the domain that made the artwork. After the retention time the answer is 404.',
    access: byScope('generator'),
    answers: { 200: { description: 'The artwork.', schema: artwork } },
    errors: ['not_found'],
  },
  cancelArtwork: {
    method: 'POST',
    path: '/v2/artworks/:id/cancel',
    tag: 'Artworks',
    summary: 'Cancel an artwork that has not ended.',
    description:
      'From this answer on it is CANCELED and costs nothing. Images made so far are removed, its webhook gets one ' +
      '`artwork.canceled`, and it can be read until its retention ends. One that has ended stays as it is (409).',
    access: byScope('generator'),
    answers: { 202: { description: 'The artwork, canceled. Engines are being stopped.', schema: artwork } },
    errors: ['not_found', 'not_cancelable'],
  },
  deleteArtwork: {
    method: 'DELETE',
    path: '/v2/artworks/:id',
    tag: 'Artworks',
    summary: 'Delete an artwork and all that belongs to it, now.',
    description:
      'Its images, inputs and deliveries go with it; work on it stops, and no event is sent. Styles that it has ' +
      'encoded and sums of usage and credits stay.',
    access: byScope('generator'),
    answers: { 204: { description: 'It is gone.' } },
    errors: ['not_found'],
  },
  updateArtwork: {
    method: 'PATCH',
    path: '/v2/artworks/:id',
    tag: 'Artworks',
    summary: 'Correct the webhook URL of an artwork.',
    description:
      'The next try uses it; `redeliver` makes one at once. Where no try is left (409), or there was no URL, read the ' +
      'artwork by its id.',
    access: byScope('generator'),
    body: updateArtwork,
    bodyExample: { webhookUrl: 'https://example.com/hooks/atelier' },
    answers: { 200: { description: 'The artwork.', schema: artwork } },
    errors: ['not_found', 'conflict'],
  },
  redeliverArtwork: {
    method: 'POST',
    path: '/v2/artworks/:id/redeliver',
    tag: 'Artworks',
    summary: 'Try to deliver the event of an artwork now.',
    description:
      'With the same `eventId` and the same bytes, whether tries are still due or over; `GET …/deliveries` shows how ' +
      'it went. The schedule goes on where it was, unless this try ends it. Before the artwork has ended, without a ' +
      '`webhookUrl`, and after a hundred times it is 409.',
    access: byScope('generator'),
    answers: { 202: { description: 'The artwork. A try is about to begin.', schema: artwork } },
    errors: ['not_found', 'conflict'],
  },
  streamEvents: {
    method: 'GET',
    path: '/v2/artworks/:id/events',
    tag: 'Artworks',
    summary: 'Follow an artwork until it ends: server-sent events.',
    description:
      '`status` when its status changes, with the artwork as it is read; `progress` when a call of its plan is done, ' +
      'fails or is tried again. The stream begins with both as they are now and closes behind the status that ends ' +
      'the artwork. It also closes, without such a status, when the artwork is deleted, when the key loses its right ' +
      'to read it, and when the service restarts: ask again with `Last-Event-ID`, and what you have seen is not ' +
      'repeated. Every 15 seconds a comment shows that the stream lives. It counts as one request.',
    access: byScope('generator'),
    headers: lastEventId,
    answers: {
      200: {
        description: 'The events. Their data is the artwork (`status`) or how far it is (`progress`).',
        contentType: 'text/event-stream',
        schema: followedEvent,
      },
      204: { description: 'The artwork has ended, and you have seen it: there is nothing more to come.' },
    },
    errors: ['not_found'],
  },
  readTimeline: {
    method: 'GET',
    path: '/v2/artworks/:id/timeline',
    tag: 'Artworks',
    summary: 'What happened to an artwork, oldest first.',
    description: 'Its wait for a worker, every try of every call, every try to deliver its webhook.',
    access: byScope('generator'),
    answers: { 200: { description: 'The steps.', schema: wholeListOf(step) } },
    errors: ['not_found'],
  },
  listDeliveries: {
    method: 'GET',
    path: '/v2/artworks/:id/deliveries',
    tag: 'Artworks',
    summary: 'Every try to deliver the webhook of an artwork, oldest first.',
    access: byScope('generator'),
    answers: { 200: { description: 'The tries.', schema: wholeListOf(delivery) } },
    errors: ['not_found'],
  },
  readImage: {
    method: 'GET',
    path: '/v2/images/:artworkId/:name',
    tag: 'Artworks',
    summary: 'An image, by the signed link on its artwork.',
    access: 'public',
    query: Type.Object({
      expires: Type.String({ description: 'Unix seconds.' }),
      signature: Type.String({ description: 'Made by the service; see images[].url.' }),
    }),
    answers: { 200: { description: 'The file.', contentType: 'image/*' } },
    errors: ['not_found'],
  },
} as const satisfies Record<string, Endpoint>;
