/** Artworks, from the insert before the 202 to the purge. Every step is idempotent. */
import type { ErrorCode } from '../schemas/errors.ts';
import type { Outcome } from '../schemas/artwork.ts';
import type { Plan } from '../schemas/plan.ts';
import { free, type Quote } from '../schemas/price.ts';
import type { CallFailure } from '../schemas/workflow.ts';
import type { FinishReason, Written } from '../schemas/writing.ts';
import { type EntityManager, LockMode } from '@mikro-orm/postgresql';
import { isSettled, reserve, settle } from './credits.ts';
import { type Database, isForeignKeyViolation, isUniqueViolation } from './database.ts';
import { Artwork, CallMessage, CallResult, Image, RunningCall, Style } from './entities.ts';
import type { Idempotency } from './idempotency.ts';

export type NewArtwork = Pick<
  Artwork,
  'id' | 'org' | 'key' | 'operation' | 'domain' | 'input' | 'metadata' | 'webhookUrl' | 'createdAt' | 'expiresAt'
> & { plan: Plan; quote?: Quote; idempotency?: Idempotency | null };

/**
 * Inserts an artwork and reserves its price. The transaction matters for a database that hangs: it may still run a
 * statement after the client has timed out, but without the commit the statement has no effect.
 * @throws UniqueConstraintViolationException when the workflow has claimed the id, or (`onePerIdempotencyKey`) when
 * another request with the same key was first; an error that `isOutOfCredits` accepts when the key has too few credits
 */
export async function insertArtwork(
  db: Database,
  { quote = free, idempotency = null, ...artwork }: NewArtwork,
): Promise<void> {
  const row = {
    ...artwork,
    status: 'STARTING' as const,
    prompt: typeof artwork.plan.prompt === 'string' ? artwork.plan.prompt : null,
    reserved: quote.price,
    tariff: quote.tariff,
    idempotencyKey: idempotency?.key ?? null,
    requestDigest: idempotency?.request ?? null,
  };
  await db.em().transactional(async (em) => {
    await em.insert(Artwork, row);
    await reserve(em, row, artwork.createdAt);
  });
}

/**
 * Claims the id of an artwork whose request was never stored. Only one of this insert and the request's insert can
 * succeed, so the request cannot be stored later. Repeating a claim returns true again.
 * @returns false when the request has been stored
 */
export async function claimArtwork(
  db: Database,
  { id, orgId, keyId, operation }: { id: string; orgId: string; keyId: string; operation: string },
  { now, expiresAt }: { now: Date; expiresAt: Date },
): Promise<boolean> {
  // The column needs a domain; no client can read the row.
  const claim = { id, org: orgId, key: keyId, operation, domain: 'studio', status: 'ABANDONED' } as const;
  const em = db.em();
  try {
    await em.insert(Artwork, { ...claim, input: {}, plan: null, metadata: {}, createdAt: now, expiresAt });
    return true;
  } catch (error) {
    if (isUniqueViolation(error)) return (await em.count(Artwork, { id, status: 'ABANDONED' })) === 1;
    // The organization or key is deleted, so the request cannot be stored either.
    if (isForeignKeyViolation(error)) return true;
    throw error;
  }
}

/** Sets the status to PROCESSING at the first start. @returns null when there is no row, or the row is only a claim */
export async function beginArtwork(db: Database, id: string, now: Date): Promise<Artwork | null> {
  const em = db.em();
  await em.nativeUpdate(Artwork, { id, status: 'STARTING' }, { status: 'PROCESSING', startedAt: now });
  const artwork = await em.findOne(Artwork, { id, status: { $ne: 'ABANDONED' } });
  // The row was inserted between the two statements: the caller's next attempt updates it.
  return artwork?.status === 'STARTING' ? null : artwork;
}

export function findArtwork(db: Database, id: string): Promise<Artwork | null> {
  return db.em().findOne(Artwork, { id, status: { $ne: 'ABANDONED' } });
}

export function findImage(db: Database, artworkId: string, name: string): Promise<Image | null> {
  return db.em().findOne(Image, { artwork: artworkId, name });
}

/** Returns the artworks that exist, in any order. */
export function findArtworks(db: Database, ids: readonly string[]): Promise<Artwork[]> {
  return db.em().find(Artwork, { id: { $in: [...ids] }, status: { $ne: 'ABANDONED' } });
}

/** Returns the images in the order of the plan's calls. */
export function findImages(db: Database, artworkId: string): Promise<Image[]> {
  return imagesOf(db.em(), artworkId);
}

async function imagesOf(em: EntityManager, artworkId: string): Promise<Image[]> {
  return (await em.find(Image, { artwork: artworkId })).sort(byName);
}

/** Returns the images of several artworks by artwork id, in the order of `findImages`. */
export async function findImagesOf(db: Database, artworkIds: readonly string[]): Promise<Map<string, Image[]>> {
  if (artworkIds.length === 0) return new Map();
  const images = await db.em().find(Image, { artwork: { $in: [...artworkIds] } });
  return Map.groupBy(images.sort(byName), ({ artwork }) => artwork);
}

const byName = (a: Image, b: Image) => a.name.localeCompare(b.name, 'en', { numeric: true });

/** Returns the results of an artwork's calls so far, by call. */
export async function findResults(db: Database, artworkId: string): Promise<Map<string, CallResult>> {
  const results = await db.em().find(CallResult, { artwork: artworkId });
  return new Map(results.map((result) => [result.call, result]));
}

export interface NewResult {
  call: string;
  model: string;
  text: string | null;
  /** From a language model; null for other models. */
  finishReason: FinishReason | null;
  usage: Written['usage'] | null;
  /** Whether the text becomes the prompt of the artwork. */
  isPrompt: boolean;
  images: Omit<Image, 'artwork'>[];
  /** Number of the attempt, starting at 1. */
  attempt: number;
  startedAt: Date;
}

/**
 * Stores the result of a call. Only the first result of a call is stored, and only before the artwork ends.
 * @returns whether the result was stored
 */
export async function saveResult(db: Database, artworkId: string, result: NewResult, now: Date): Promise<boolean> {
  const { isPrompt, images, ...stored } = result;
  try {
    return await db.em().transactional(async (em) => {
      // The lock delays the end of the artwork, so that its event lists exactly its images.
      const lockMode = LockMode.PESSIMISTIC_READ;
      const running = { id: artworkId, finishedAt: null, status: { $ne: 'ABANDONED' as const } };
      const artwork = await em.findOne(Artwork, running, { lockMode, fields: ['id'] });
      if (!artwork) return false;
      await em.insert(CallResult, { ...stored, artwork: artworkId, finishedAt: now });
      if (images.length > 0) {
        await em.insertMany(
          Image,
          images.map((image) => ({ ...image, artwork: artworkId })),
        );
      }
      if (isPrompt) await em.nativeUpdate(Artwork, { id: artworkId }, { prompt: stored.text });
      return true;
    });
  } catch (error) {
    if (isUniqueViolation(error)) return false;
    throw error;
  }
}

/** Stores the error message of a call's latest failed attempt. Does nothing when the artwork is deleted. */
export async function saveMessage(db: Database, artworkId: string, call: string, message: string): Promise<void> {
  await db.em().execute(
    `insert into call_message (artwork_id, call, message)
     select id, ?, ?
     from artwork
     where id = ? and status <> 'ABANDONED'
     for share
     on conflict (artwork_id, call) do update
     set message = excluded.message`,
    [call, message, artworkId],
  );
}

/** Returns the error messages for clients, by failed call. */
export function findMessages(db: Database, artworkId: string): Promise<Map<string, string>> {
  return messagesOf(db.em(), artworkId);
}

async function messagesOf(em: EntityManager, artwork: string): Promise<Map<string, string>> {
  const messages = await em.find(CallMessage, { artwork });
  return new Map(messages.map(({ call, message }) => [call, message]));
}

export interface StoredEnding {
  status: Outcome;
  errorCode: ErrorCode | null;
  /** Replaces the message of the error table. */
  errorMessage: string | null;
  failures: CallFailure[] | null;
  /** Charged credits. */
  charged: number;
  finishedAt: Date;
  styleDnaId: string | null;
  eventId: string;
  eventBody: string;
}

/** The work of an artwork that is about to end. */
export interface FinishedWork {
  artwork: Artwork;
  images: Image[];
  /** The texts of its results, by call. */
  texts: ReadonlyMap<string, string | null>;
  /** The tokens of its language models; 0 when tokens are free. */
  tokens: number;
  /** The error messages for clients, by failed call. */
  messages: ReadonlyMap<string, string>;
}

/**
 * Ends an artwork once, and settles its credits in the same transaction.
 * @param decide receives the final work; returns the ending to store, and the encoded style if there is one. The images
 * of a canceled artwork are deleted.
 * @returns the status after this call or an earlier one; null when the artwork is deleted
 */
export async function endArtwork(
  db: Database,
  id: string,
  { hasFailures }: { hasFailures: boolean },
  decide: (work: FinishedWork) => { ending: StoredEnding; style: Style | null },
): Promise<Outcome | null> {
  return db.em().transactional(async (em) => {
    const lockMode = LockMode.PESSIMISTIC_WRITE;
    const artwork = await em.findOne(Artwork, { id, status: { $ne: 'ABANDONED' } }, { lockMode });
    if (!artwork) return null;
    if (artwork.finishedAt) return artwork.status as Outcome;
    const images = await imagesOf(em, id);
    const needsResults = artwork.plan?.encodes || artwork.tariff?.perThousandTokens;
    const results = needsResults ? await em.find(CallResult, { artwork: id }) : [];
    const texts = new Map(results.map(({ call, text }) => [call, text ?? null]));
    const tokens = results.reduce((sum, { usage }) => sum + (usage ? usage.inputTokens + usage.outputTokens : 0), 0);
    const messages = hasFailures ? await messagesOf(em, id) : new Map<string, string>();
    const { ending, style } = decide({ artwork, images, texts, tokens, messages });
    if (style) await em.insert(Style, style);
    if (ending.status === 'CANCELED') await em.nativeDelete(Image, { artwork: id });
    await em.nativeUpdate(Artwork, { id }, { ...ending, plan: null });
    await settle(em, artwork, ending.charged, ending.finishedAt);
    return ending.status;
  });
}

/** Deletes the row and all rows that refer to it, and releases a reservation that is still open. */
export async function deleteArtwork(db: Database, id: string, now: Date): Promise<void> {
  await db.em().transactional(async (em) => {
    // Deletes only a locked row: a row inserted between the statements would lose its reservation.
    const fields = ['id', 'key', 'operation', 'reserved'] as const;
    const lockMode = LockMode.PESSIMISTIC_WRITE;
    const artwork = await em.findOne(Artwork, { id }, { lockMode, fields: [...fields] });
    if (!artwork) return;
    await em.nativeDelete(Artwork, { id });
    // A dead worker leaves the rows of its slots behind, and no foreign key deletes them.
    await em.nativeDelete(RunningCall, { artwork: id });
    if (artwork.reserved > 0 && !(await isSettled(em, id))) await settle(em, artwork, 0, now);
  });
}
