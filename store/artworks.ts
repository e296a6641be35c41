/** Artworks, from the row that a 202 stands on to the purge. Every step can be repeated without harm. */
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
 * In a transaction, because a database that hangs may still run a statement whose sender has given up; without the
 * sender's commit it comes to nothing.
 * @throws UniqueConstraintViolationException when the workflow has claimed the id already, or (`onePerIdempotencyKey`)
 * another request was first; an error that `isOutOfCredits` when its key has too few
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
 * Takes the id of an artwork whose request was never stored, so that it can never be stored later either: of this
 * insert and the request's only one can win. A repeated claim finds its own.
 * @returns false when the row came after all
 */
export async function claimArtwork(
  db: Database,
  { id, orgId, keyId, operation }: { id: string; orgId: string; keyId: string; operation: string },
  { now, expiresAt }: { now: Date; expiresAt: Date },
): Promise<boolean> {
  // The domain is of no meaning here: nobody ever reads the row.
  const claim = { id, org: orgId, key: keyId, operation, domain: 'studio', status: 'ABANDONED' } as const;
  const em = db.em();
  try {
    await em.insert(Artwork, { ...claim, input: {}, plan: null, metadata: {}, createdAt: now, expiresAt });
    return true;
  } catch (error) {
    if (isUniqueViolation(error)) return (await em.count(Artwork, { id, status: 'ABANDONED' })) === 1;
    // Its organization or key was removed, so that the row cannot come any more either.
    if (isForeignKeyViolation(error)) return true;
    throw error;
  }
}

/** Marks the first start of work. @returns null while there is no row, or when it was abandoned */
export async function beginArtwork(db: Database, id: string, now: Date): Promise<Artwork | null> {
  const em = db.em();
  await em.nativeUpdate(Artwork, { id, status: 'STARTING' }, { status: 'PROCESSING', startedAt: now });
  const artwork = await em.findOne(Artwork, { id, status: { $ne: 'ABANDONED' } });
  // It came between the two statements: the next look marks it.
  return artwork?.status === 'STARTING' ? null : artwork;
}

export function findArtwork(db: Database, id: string): Promise<Artwork | null> {
  return db.em().findOne(Artwork, { id, status: { $ne: 'ABANDONED' } });
}

export function findImage(db: Database, artworkId: string, name: string): Promise<Image | null> {
  return db.em().findOne(Image, { artwork: artworkId, name });
}

/** Those of them that are there, in any order. */
export function findArtworks(db: Database, ids: readonly string[]): Promise<Artwork[]> {
  return db.em().find(Artwork, { id: { $in: [...ids] }, status: { $ne: 'ABANDONED' } });
}

/** In the order of the plan's calls. */
export function findImages(db: Database, artworkId: string): Promise<Image[]> {
  return imagesOf(db.em(), artworkId);
}

async function imagesOf(em: EntityManager, artworkId: string): Promise<Image[]> {
  return (await em.find(Image, { artwork: artworkId })).sort(byName);
}

/** By artwork, as `findImages` gives them. */
export async function findImagesOf(db: Database, artworkIds: readonly string[]): Promise<Map<string, Image[]>> {
  if (artworkIds.length === 0) return new Map();
  const images = await db.em().find(Image, { artwork: { $in: [...artworkIds] } });
  return Map.groupBy(images.sort(byName), ({ artwork }) => artwork);
}

const byName = (a: Image, b: Image) => a.name.localeCompare(b.name, 'en', { numeric: true });

/** What calls of an artwork have given so far, by call. */
export async function findResults(db: Database, artworkId: string): Promise<Map<string, CallResult>> {
  const results = await db.em().find(CallResult, { artwork: artworkId });
  return new Map(results.map((result) => [result.call, result]));
}

export interface Result {
  call: string;
  model: string;
  text: string | null;
  /** Of a language model. */
  finishReason: FinishReason | null;
  usage: Written['usage'] | null;
  /** Whether the text is the prompt that the artwork shows. */
  isPrompt: boolean;
  images: Omit<Image, 'artwork'>[];
  /** From 1. */
  attempt: number;
  startedAt: Date;
}

/**
 * Keeps what a call gave: the first result of a call, and only while its artwork has not ended.
 * @returns whether it was kept
 */
export async function saveResult(db: Database, artworkId: string, result: Result, now: Date): Promise<boolean> {
  const { isPrompt, images, ...kept } = result;
  try {
    return await db.em().transactional(async (em) => {
      // The lock holds off the end of the artwork, so that its event and its images never differ.
      const lockMode = LockMode.PESSIMISTIC_READ;
      const running = { id: artworkId, finishedAt: null, status: { $ne: 'ABANDONED' as const } };
      const artwork = await em.findOne(Artwork, running, { lockMode, fields: ['id'] });
      if (!artwork) return false;
      await em.insert(CallResult, { ...kept, artwork: artworkId, finishedAt: now });
      if (images.length > 0) {
        await em.insertMany(
          Image,
          images.map((image) => ({ ...image, artwork: artworkId })),
        );
      }
      if (isPrompt) await em.nativeUpdate(Artwork, { id: artworkId }, { prompt: kept.text });
      return true;
    });
  } catch (error) {
    if (isUniqueViolation(error)) return false;
    throw error;
  }
}

/** Keeps the words of a call that failed, the latest try's. An artwork that is gone needs none. */
export async function saveMessage(db: Database, artworkId: string, call: string, message: string): Promise<void> {
  await db.em().execute(
    `insert into call_message (artwork_id, call, message)
       select id, ?, ? from artwork where id = ? and status <> 'ABANDONED' for share
       on conflict (artwork_id, call) do update set message = excluded.message`,
    [call, message, artworkId],
  );
}

/** What a client may read of calls that failed, by call. */
export function findMessages(db: Database, artworkId: string): Promise<Map<string, string>> {
  return messagesOf(db.em(), artworkId);
}

async function messagesOf(em: EntityManager, artwork: string): Promise<Map<string, string>> {
  const said = await em.find(CallMessage, { artwork });
  return new Map(said.map(({ call, message }) => [call, message]));
}

export interface End {
  status: Outcome;
  errorCode: ErrorCode | null;
  /** In place of the error table's words. */
  errorMessage: string | null;
  failures: CallFailure[] | null;
  /** Credits. */
  charged: number;
  finishedAt: Date;
  styleDnaId: string | null;
  eventId: string;
  eventBody: string;
}

/** What an artwork has come to when it ends. */
export interface Work {
  artwork: Artwork;
  images: Image[];
  /** What its calls have written, by call. */
  texts: ReadonlyMap<string, string | null>;
  /** What its language models have counted, where it costs something. */
  tokens: number;
  /** What a client may read of calls that failed, by call. */
  messages: ReadonlyMap<string, string>;
}

/**
 * Ends an artwork, once.
 * @param end called with what the artwork has come to, which nothing changes any more; a style that it has encoded is
 * kept with its end, what a canceled one has come to is not
 * @returns how it has ended, now or before; null when it is gone
 */
export async function endArtwork(
  db: Database,
  id: string,
  { hasFailures }: { hasFailures: boolean },
  end: (work: Work) => { end: End; style: Style | null },
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
    const { end: ended, style } = end({ artwork, images, texts, tokens, messages });
    if (style) await em.insert(Style, style);
    if (ended.status === 'CANCELED') await em.nativeDelete(Image, { artwork: id });
    await em.nativeUpdate(Artwork, { id }, { ...ended, plan: null });
    await settle(em, artwork, ended.charged, ended.finishedAt);
    return ended.status;
  });
}

/** Removes the row and all that hangs on it. A reservation that is still open then is given back. */
export async function deleteArtwork(db: Database, id: string, now: Date): Promise<void> {
  await db.em().transactional(async (em) => {
    // Only what is locked is deleted: a row that comes between two statements would take its reservation along.
    const fields = ['id', 'key', 'operation', 'reserved'] as const;
    const lockMode = LockMode.PESSIMISTIC_WRITE;
    const artwork = await em.findOne(Artwork, { id }, { lockMode, fields: [...fields] });
    if (!artwork) return;
    await em.nativeDelete(Artwork, { id });
    // Of a worker that died; they have no row that they hang on.
    await em.nativeDelete(RunningCall, { artwork: id });
    if (artwork.reserved > 0 && !(await isSettled(em, id))) await settle(em, artwork, 0, now);
  });
}
