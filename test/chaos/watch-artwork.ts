/** Judges one artwork from outside, from its 202 until nothing is left of it. */
import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { verifyWebhook } from '../../clients/verify-webhook.ts';
import { type Definite, send } from './client.ts';
import type { Created } from './load.ts';
import type { System } from './system.ts';

/** The judgement of one artwork. Each violation continues a sentence that begins with the artwork's id. */
export interface Verdict {
  created: Created;
  /** The last status that a client could read; null for a deleted artwork. */
  status: string | null;
  violations: string[];
}

const ends = ['SUCCEEDED', 'FAILED', 'CANCELED'];
/** Milliseconds after the expiry at which no event can arrive any more and the artwork is not readable. */
const afterExpiry = 2000;
/** Milliseconds within which an event always arrives. An artwork that ends later than this before its expiry may have none. */
const deliveryTime = 30_000;

/** @param onEnd is called when the artwork has ended, or is judged as one that did not */
export async function watchArtwork(system: System, created: Created, onEnd: () => void): Promise<Verdict> {
  const violations: string[] = [];
  const { view, isDeleted } = await readUntilEnd(system, created).finally(onEnd);
  const status = isDeleted || view === null ? null : String(view['status']);
  if (isDeleted) {
    if (created.action !== 'delete') violations.push('is not found before its expiry');
  } else if (view === null || !ends.includes(String(status))) {
    violations.push(`is still ${status} at its expiry`);
  } else {
    if (!isExpected(created, status)) violations.push(`ended as ${status}: ${JSON.stringify(view['errorCode'])}`);
    if (status === 'SUCCEEDED') violations.push(...(await judgeImages(view, created)));
  }
  await delay(Math.max(0, created.expiresAt + afterExpiry - Date.now()));
  violations.push(...(await judgeEvents(system, created, isDeleted ? null : view)));
  const { status: afterwards } = await send(system, { path: `/v2/artworks/${created.id}` });
  if (afterwards !== 404) violations.push(`can be read after its expiry: ${afterwards}`);
  return { created, status, violations };
}

interface Read {
  view: Definite['body'] | null;
  isDeleted: boolean;
}

async function readUntilEnd(system: System, { id, expiresAt }: Created): Promise<Read> {
  let view: Definite['body'] | null = null;
  while (Date.now() < expiresAt - 1000) {
    const read = await send(system, { path: `/v2/artworks/${id}` });
    if (Date.now() >= expiresAt) break;
    if (read.status === 404) return { view, isDeleted: true };
    view = read.body;
    if (ends.includes(String(view['status']))) break;
    await delay(1000);
  }
  return { view, isDeleted: false };
}

/** The faults of providers pass before a call gives up, so that every call succeeds. */
function isExpected({ action }: Created, status: string | null): boolean {
  return status === 'SUCCEEDED' || (action === 'cancel' && status === 'CANCELED');
}

async function judgeImages(view: Definite['body'], { action, expiresAt }: Created): Promise<string[]> {
  const images = view['images'] as { url: string; sha256: string }[];
  if (images.length !== 1) return [`has ${images.length} images`];
  for (const { url, sha256 } of images) {
    const bytes = await download(url, expiresAt - 2000);
    // The client may have deleted the artwork.
    if (bytes === null) return action === 'delete' ? [] : ['has an image that cannot be read'];
    if (createHash('sha256').update(bytes).digest('hex') !== sha256) return ['has an image with another checksum'];
  }
  return [];
}

/** Repeats the download during outages. Returns null when there is no image. */
async function download(url: string, until: number): Promise<Buffer | null> {
  for (;;) {
    try {
      const response = await fetch(url, { signal: AbortSignal.timeout(20_000) });
      if (response.ok) return Buffer.from(await response.arrayBuffer());
      if (response.status < 500 && response.status !== 429) return null;
    } catch {
      // The connection was lost.
    }
    if (Date.now() > until) return null;
    await delay(1000);
  }
}

/** @param view the ended artwork; null when it was deleted */
async function judgeEvents(
  { receiver, service }: System,
  { id, action, expiresAt }: Created,
  view: Definite['body'] | null,
): Promise<string[]> {
  const received = receiver.received.filter(({ event }) => event.id === id);
  const first = received[0];
  const isMissed = view !== null && action !== 'delete' && !receiver.accepted.has(id);
  const isLate = Date.parse(String(view?.['finishedAt'])) > expiresAt - deliveryTime;
  if (first === undefined) return isMissed && !isLate ? ['has no event'] : [];
  const violations: string[] = isMissed && !isLate ? ['has no event that its receiver has accepted'] : [];
  if (new Set(received.map(({ event }) => event.eventId)).size > 1) violations.push('has several event ids');
  if (new Set(received.map(({ raw }) => raw.toString())).size > 1) violations.push('has events with other bytes');
  for (const { raw, headers } of received) {
    const options = { toleranceSeconds: Infinity };
    await verifyWebhook(raw, headers, service.webhookSecret, options).catch((error: unknown) =>
      violations.push(`has an event that is not genuine: ${String(error)}`),
    );
  }
  const { type, eventId: _id, timestamp: _timestamp, ...artwork } = first.event;
  if (view !== null && !isDeepStrictEqual(artwork, view)) violations.push(`differs from its event ${type}`);
  return violations;
}
