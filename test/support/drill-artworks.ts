/** The artworks of a restore drill: one in each state that a restore has to continue. */
import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import type { Accepted } from '../../schemas/artwork.ts';
import { dataUri, smallPhoto } from '../../engines/local/test/photos.ts';
import type { QueueFake } from '../upstreams/queue-fake.ts';
import { call, create, ended } from './client.ts';
import { eventually } from './eventually.ts';
import type { Receiver } from './receiver.ts';
import type { Service } from './stack.ts';
import type { TestKey } from './test-key.ts';

/** A service and the key with which its client creates artworks. */
export type Client = Pick<Service, 'baseUrl' | 'baseUrls' | 'adminKey'>;

/** A creation with an Idempotency-Key. */
export interface Request {
  id: string;
  key: string;
  body: Record<string, unknown>;
}

export interface DrillArtworks {
  /** Ended, and its event is delivered. */
  delivered: Request;
  /** Ended, and its receiver has failed, so that attempts are left. */
  refused: string;
  /** Its job runs at the provider. The prompt identifies its submissions. */
  waiting: { id: string; prompt: string };
  /** Made from an uploaded file. */
  uploaded: string;
  /** Has encoded a style. */
  encoded: { id: string; styleDnaId: string };
  /** Expires within seconds. */
  brief: string;
  /** An uploaded file that expires within seconds. */
  briefFile: string;
}

export interface Surroundings {
  client: Client;
  /** The key of the client. */
  key: TestKey;
  /** Fails deliveries to the path `/refused`. */
  receiver: Receiver;
  /** The provider of `quantum`, which keeps its jobs waiting. */
  provider: QueueFake;
}

/** Milliseconds. A new worker loads models, which takes long on a busy machine. */
const timeout = 90_000;

export const boat = { prompt: 'a boat on a lake', width: 256, height: 256, nsfw: true };

export async function createDrillArtworks({ client, receiver, provider }: Surroundings): Promise<DrillArtworks> {
  const webhookUrl = receiver.url;
  const image = dataUri(await smallPhoto('coffee'));
  const second = { ...client, baseUrl: client.baseUrls[1] ?? '' };
  const prompt = `a lighthouse, number ${randomUUID()}`;
  provider.hold();
  const reads = provider.counts.reads;
  const waiting = await create(client, { ...boat, prompt, webhookUrl }, 'quantum');
  const [delivered, refused, uploaded, encoded] = await Promise.all([
    createOnce(client, { key: randomUUID(), body: { ...boat, webhookUrl } }),
    create(client, { ...boat, webhookUrl: `${webhookUrl}/refused` }),
    createFromUpload(client, webhookUrl),
    createStyle(client, { name: 'blue', images: [image], webhookUrl }),
  ]);
  for (const { id } of [delivered, refused, uploaded, encoded]) await receiver.until(id, 1, timeout);
  const { styleDnaId } = await ended(client, encoded.id, timeout);
  await eventually(() => expect(provider.counts.reads).toBeGreaterThan(reads), timeout);
  const [brief, briefFile] = await Promise.all([create(second, { ...boat, webhookUrl }), upload(second)]);
  return {
    ...{ delivered, refused: refused.id, waiting: { id: waiting.id, prompt }, uploaded: uploaded.id },
    ...{ encoded: { id: encoded.id, styleDnaId: styleDnaId ?? '' }, brief: brief.id, briefFile },
  };
}

/** Sends a creation with its Idempotency-Key. */
export async function createOnce(client: Client, { key, body }: Omit<Request, 'id'>): Promise<Request> {
  const { status, body: accepted } = await postOnce(client, { key, body });
  if (status !== 202) throw new Error(`${status} ${JSON.stringify(accepted)}`);
  return { id: accepted.id, key, body };
}

export const postOnce = ({ baseUrl, adminKey }: Client, { key, body }: Omit<Request, 'id'>) =>
  call<Accepted>(`${baseUrl}/v2/artworks/selena`, {
    ...{ method: 'POST', key: adminKey, body, headers: { 'idempotency-key': key } },
  });

async function createFromUpload(client: Client, webhookUrl: string): Promise<Accepted> {
  return create(client, { image: await upload(client), scale: 2, webhookUrl }, 'upscaling');
}

async function upload({ baseUrl, adminKey }: Client): Promise<string> {
  const headers = { authorization: `Bearer ${adminKey}`, 'content-type': 'image/jpeg' };
  const body = new Uint8Array(await smallPhoto('chelsea'));
  const response = await fetch(`${baseUrl}/v2/files`, { method: 'POST', headers, body });
  return ((await response.json()) as { id: string }).id;
}

async function createStyle({ baseUrl, adminKey }: Client, body: object): Promise<Accepted> {
  const url = `${baseUrl}/v2/style-dna/generate-anchor`;
  const accepted = await call<Accepted>(url, { method: 'POST', key: adminKey, body });
  expect(accepted.status).toBe(202);
  return accepted.body;
}
