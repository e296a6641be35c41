/** The results of an artwork's calls: texts and images, and the error messages of failed calls. */
import { type EntityManager, LockMode } from '@mikro-orm/postgresql';
import type { FinishReason, Written } from '../schemas/writing.ts';
import { type Database, isUniqueViolation } from './database.ts';
import { Artwork, CallMessage, CallResult, Image } from './entities.ts';

/** Sorts by name, with numbers by value: `image-2` before `image-10`. */
const byName = (a: Image, b: Image) => a.name.localeCompare(b.name, 'en', { numeric: true });

export function findImage(db: Database, artworkId: string, name: string): Promise<Image | null> {
  return db.em().findOne(Image, { artwork: artworkId, name });
}

/** Returns the images in the order of the plan's calls. */
export function findImages(db: Database, artworkId: string): Promise<Image[]> {
  return imagesOf(db.em(), artworkId);
}

/** `findImages` within a transaction. */
export async function imagesOf(em: EntityManager, artworkId: string): Promise<Image[]> {
  return (await em.find(Image, { artwork: artworkId })).sort(byName);
}

/** Returns the images of several artworks by artwork id, in the order of `findImages`. */
export async function findImagesOf(db: Database, artworkIds: readonly string[]): Promise<Map<string, Image[]>> {
  if (artworkIds.length === 0) return new Map();
  const images = await db.em().find(Image, { artwork: { $in: [...artworkIds] } });
  return Map.groupBy(images.sort(byName), ({ artwork }) => artwork);
}

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

/** `findMessages` within a transaction. */
export async function messagesOf(em: EntityManager, artworkId: string): Promise<Map<string, string>> {
  const messages = await em.find(CallMessage, { artwork: artworkId });
  return new Map(messages.map(({ call, message }) => [call, message]));
}
