/** The mixed load of a run: creations of every kind, some of which are canceled, deleted or delivered again. */
import { setTimeout as delay } from 'node:timers/promises';
import { type Definite, send, sendOnce } from './client.ts';
import { newMarker } from './marker.ts';
import type { ProviderKind } from './providers.ts';
import { createRandom, type Random } from './random.ts';
import { price, type System } from './system.ts';

/** The maker of the result: the embedded engines, or a provider. */
export type Kind = 'embedded' | ProviderKind;
export type Action = 'cancel' | 'delete' | 'redeliver' | null;

/** A creation as its client knows it. */
export interface Facts {
  kind: Kind;
  marker: string;
}

export interface Created extends Facts {
  id: string;
  /** The client's next request for this artwork, or null. */
  action: Action;
  /** Epoch milliseconds. */
  createdAt: number;
  expiresAt: number;
}

export interface Load {
  /** Synchronous requests that have their result. */
  readonly texts: readonly string[];
  /**
   * Creations without an `Idempotency-Key` whose response was lost, or was a 503: each may have become one artwork. After a
   * 503, the artwork is deleted, but it can end before.
   */
  readonly unaccepted: readonly Facts[];
  /** Failures of the client, each of which is a violation. */
  readonly problems: readonly string[];
  /** Waits for the requests that are under way. */
  stop(): Promise<void>;
}

interface Options {
  system: System;
  /** Each client has a random sequence of its own, so that its requests do not depend on the timing of the others. */
  seed: number;
  /** An image as a data URI. */
  image: string;
  /** Is called with each artwork that got its 202. */
  onCreated: (created: Created) => void;
  /** Returns the number of artworks that have not ended. */
  countOpen: () => number;
}

/** Clients that send one request after another. */
const atOnce = 4;
/** Artworks that have not ended, beyond which the clients wait: a slow machine completes its artworks before they expire. */
const mostOpen = 12;

export function startLoad({ system, seed, image, onCreated, countOpen }: Options): Load {
  const texts: string[] = [];
  const unaccepted: Facts[] = [];
  const problems: string[] = [];
  let stopping = false;

  const createOne = async (random: Random) => {
    const marker = newMarker(random);
    const { kind, path, body } = pickRequest(random, { marker, image, webhookUrl: system.receiver.url });
    const action = kind === 'text' ? null : pickAction(random);
    const disconnect = random.chance(0.1) ? { disconnectAfter: random.between(1, 40) } : {};
    const pause = random.between(0, 1500);
    const request = { method: 'POST', path, body, ...disconnect };
    const isKeyless = kind !== 'text' && random.chance(0.15);
    const response = await (isKeyless
      ? sendOnce(system, request)
      : send(system, { ...request, idempotencyKey: random.hex(32) }));
    if (response === null || (isKeyless && response.status === 503)) return void unaccepted.push({ kind, marker });
    if (kind === 'text' && response.status === 200) return void texts.push(marker);
    const accepted = acceptedOf(response);
    onCreated({ ...accepted, kind, marker, action });
    await delay(pause);
    if (action !== null) await act(system, accepted.id, action);
  };
  const run = async (random: Random) => {
    while (!stopping) {
      // Draws no number while it waits, so that the requests depend only on the seed.
      while (!stopping && countOpen() >= mostOpen) await delay(200);
      await createOne(random).catch((error: unknown) => problems.push(String(error)));
      await delay(random.between(200, 2000));
    }
  };
  const running = Promise.all(Array.from({ length: atOnce }, (_, client) => run(createRandom(seed + client))));
  return {
    ...{ texts, unaccepted, problems },
    async stop() {
      stopping = true;
      await running;
    },
  };
}

/** @throws Error when the response is not a 202 */
export function acceptedOf({ status, body }: Definite): Pick<Created, 'id' | 'createdAt' | 'expiresAt'> {
  if (status !== 202) throw new Error(`A creation got ${status} ${JSON.stringify(body)}`);
  const { id, createdAt, expiresAt } = body;
  return { id: String(id), createdAt: Date.parse(String(createdAt)), expiresAt: Date.parse(String(expiresAt)) };
}

interface Contents {
  marker: string;
  image: string;
  webhookUrl: string;
}

function pickRequest(random: Random, { marker, image, webhookUrl }: Contents) {
  const prompt = `a boat on a quiet lake, ${marker}`;
  const kind = random.pick<Kind>([
    'embedded',
    'embedded',
    'embedded',
    'queue',
    'queue',
    'queue',
    'direct',
    'direct',
    'text',
  ]);
  const size = { width: 512, height: 512 };
  switch (kind) {
    case 'queue':
      return { kind, path: '/v2/artworks/quantum', body: { prompt, ...size, webhookUrl } };
    case 'direct':
      return { kind, path: '/v2/artworks/hamilton', body: { prompt, width: 1024, height: 1024, webhookUrl } };
    case 'text':
      return { kind, path: '/v2/textcraft', body: { task: 'rewrite', prompt } };
    case 'embedded':
      return random.chance(0.7)
        ? { kind, path: '/v2/artworks/selena', body: { prompt, width: 256, height: 256, webhookUrl } }
        : { kind, path: '/v2/artworks/upscaling', body: { image, scale: 2, metadata: { marker }, webhookUrl } };
  }
}

const pickAction = (random: Random): Action =>
  random.chance(0.7) ? null : random.pick<Action>(['cancel', 'delete', 'redeliver']);

/** An artwork that has ended cannot be canceled, and one that has not cannot be delivered again: both get 409. */
async function act(system: System, id: string, action: NonNullable<Action>): Promise<void> {
  const path = `/v2/artworks/${id}`;
  const { status } = await (action === 'delete'
    ? send(system, { method: 'DELETE', path })
    : send(system, { method: 'POST', path: `${path}/${action}` }));
  // The first DELETE may have succeeded although its response was lost.
  const allowed = action === 'delete' ? [204, 404] : [202, 409];
  if (!allowed.includes(status)) throw new Error(`${action} ${id} got ${status}`);
}

/** Returns the credits that an artwork with this status costs. */
export const costOf = (status: unknown): number => (status === 'SUCCEEDED' ? price : 0);
