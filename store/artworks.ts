/** Artworks, from the row that a 202 stands on to the purge. Every step can be repeated without harm. */
import type { ErrorCode } from '../schemas/errors.ts';
import type { Outcome } from '../schemas/artwork.ts';
import type { Plan } from '../schemas/plan.ts';
import type { CallFailure } from '../schemas/workflow.ts';
import { type Database, isUniqueViolation } from './database.ts';
import { Artwork, CallResult, Image } from './entities.ts';

export type NewArtwork = Pick<
  Artwork,
  'id' | 'org' | 'key' | 'operation' | 'domain' | 'input' | 'metadata' | 'webhookUrl' | 'createdAt' | 'expiresAt'
> & { plan: Plan };

/** @throws UniqueConstraintViolationException when the workflow has claimed the id already */
export async function insertArtwork(db: Database, artwork: NewArtwork): Promise<void> {
  const prompt = typeof artwork.plan.prompt === 'string' ? artwork.plan.prompt : null;
  await db.em().insert(Artwork, { ...artwork, status: 'STARTING', prompt });
}

/**
 * Takes the id of an artwork whose request was never stored, so that it can never be stored later either: of this
 * insert and the request's only one can win.
 * @returns false when the row came after all
 */
export async function claimArtwork(
  db: Database,
  { id, orgId, keyId, operation }: { id: string; orgId: string; keyId: string; operation: string },
  { now, expiresAt }: { now: Date; expiresAt: Date },
): Promise<boolean> {
  const claim = { id, org: orgId, key: keyId, operation, domain: 'studio', status: 'ABANDONED' } as const;
  try {
    await db.em().insert(Artwork, { ...claim, input: {}, plan: null, metadata: {}, createdAt: now, expiresAt });
    return true;
  } catch (error) {
    if (isUniqueViolation(error)) return false;
    throw error;
  }
}

/** Marks the first start of work. @returns null while there is no row, or when it was abandoned */
export async function beginArtwork(db: Database, id: string, now: Date): Promise<Artwork | null> {
  const em = db.em();
  await em.nativeUpdate(Artwork, { id, status: 'STARTING' }, { status: 'PROCESSING', startedAt: now });
  return em.findOne(Artwork, { id, status: { $ne: 'ABANDONED' } });
}

export function findArtwork(db: Database, id: string): Promise<Artwork | null> {
  return db.em().findOne(Artwork, { id, status: { $ne: 'ABANDONED' } });
}

export function findImage(db: Database, artworkId: string, name: string): Promise<Image | null> {
  return db.em().findOne(Image, { artwork: artworkId, name });
}

/** In the order of the plan's calls. */
export async function findImages(db: Database, artworkId: string): Promise<Image[]> {
  const images = await db.em().find(Image, { artwork: artworkId });
  return images.sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }));
}

/** The texts that calls of an artwork have given so far, by call. */
export async function findResults(db: Database, artworkId: string): Promise<Map<string, string | null>> {
  const results = await db.em().find(CallResult, { artwork: artworkId });
  return new Map(results.map(({ call, text }) => [call, text ?? null]));
}

export interface Result {
  call: string;
  model: string;
  text: string | null;
  images: Omit<Image, 'artwork'>[];
}

/** Keeps what a call gave, once: a second result of the same call is dropped. */
export async function saveResult(db: Database, artworkId: string, result: Result, now: Date): Promise<void> {
  const { call, model, text, images } = result;
  try {
    await db.em().transactional(async (em) => {
      await em.insert(CallResult, { artwork: artworkId, call, model, text, finishedAt: now });
      if (images.length > 0) {
        await em.insertMany(
          Image,
          images.map((image) => ({ ...image, artwork: artworkId })),
        );
      }
    });
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
  }
}

/** Writes the prompt that the model got, where a call of the plan made it. */
export async function savePrompt(db: Database, id: string, prompt: string): Promise<void> {
  await db.em().nativeUpdate(Artwork, { id }, { prompt });
}

export interface End {
  status: Outcome;
  errorCode: ErrorCode | null;
  /** In place of the error table's words. */
  errorMessage: string | null;
  failures: CallFailure[] | null;
  finishedAt: Date;
  eventId: string;
  eventBody: string;
}

/** Ends an artwork, once. @returns false when it had ended before */
export async function endArtwork(db: Database, id: string, end: End): Promise<boolean> {
  const changed = await db.em().nativeUpdate(Artwork, { id, finishedAt: null }, { ...end, plan: null });
  return changed === 1;
}

/** Removes the row and all that hangs on it. */
export async function deleteArtwork(db: Database, id: string): Promise<void> {
  await db.em().nativeDelete(Artwork, { id });
}
