/** Ends an artwork once: stores its ending and its event, settles its credits and discards its jobs, in one transaction. */
import { LockMode } from '@mikro-orm/postgresql';
import { viewArtwork, viewEvent } from '../schemas/artwork-view.ts';
import type { Outcome } from '../schemas/artwork.ts';
import type { ErrorCode } from '../schemas/errors.ts';
import type { CallFailure } from '../schemas/workflow.ts';
import { settle } from './credits.ts';
import type { Database } from './database.ts';
import { Artwork, CallResult, DueDelivery, Image, Style } from './entities.ts';
import type { IdPrefix } from './ids.ts';
import type { Links } from './links.ts';
import { discardJobs } from './obsolete-jobs.ts';
import { imagesOf, messagesOf } from './results.ts';

interface Dependencies {
  db: Database;
  links: Links;
  newId(prefix: IdPrefix): string;
}

/** The columns that the end of an artwork sets, besides its event. */
interface StoredEnding {
  status: Outcome;
  errorCode: ErrorCode | null;
  /** Error message for the client; null for the one of the error table. */
  errorMessage: string | null;
  failures: CallFailure[] | null;
  /** Charged credits. */
  charged: number;
  finishedAt: Date;
  styleDnaId: string | null;
}

/** An encoded style. The database adds its environment. */
export type NewStyle = Omit<Style, 'environment'>;

/** The work of an artwork that is about to end. */
export interface FinishedWork {
  artwork: Artwork;
  images: Image[];
  /** The texts of its results, by call; empty unless it encodes a style or tokens have a price. */
  texts: ReadonlyMap<string, string | null>;
  /** The tokens of its language models; meaningful only when tokens have a price. */
  tokens: number;
  /** The error messages for clients, by failed call; empty without `hasFailures`. */
  messages: ReadonlyMap<string, string>;
}

/**
 * Ends an artwork, unless it has ended. Deletes the images of a canceled artwork.
 * @param hasFailures whether `decide` needs the error messages of failed calls
 * @param decide receives the final work; returns the ending to store, and the encoded style if there is one
 * @returns the status after this call or an earlier end; null when the artwork is deleted
 */
export async function endArtwork(
  { db, links, newId }: Dependencies,
  id: string,
  { hasFailures }: { hasFailures: boolean },
  decide: (work: FinishedWork) => { ending: StoredEnding; style: NewStyle | null },
): Promise<Outcome | null> {
  return db.em().transactional(async (em) => {
    const lockMode = LockMode.PESSIMISTIC_WRITE;
    const artwork = await em.findOne(Artwork, { id, status: { $ne: 'ABANDONED' } }, { lockMode });
    if (!artwork) return null;
    if (artwork.finishedAt) {
      // An API of release 2.6.2 ends a canceled artwork itself and leaves its jobs to this step.
      await discardJobs(em, id, artwork.finishedAt);
      return artwork.status as Outcome;
    }
    const images = await imagesOf(em, id);
    const needsResults = artwork.plan?.encodes || artwork.tariff?.perThousandTokens;
    const results = needsResults ? await em.find(CallResult, { artwork: id }) : [];
    const texts = new Map(results.map(({ call, text }) => [call, text ?? null]));
    const tokens = results.reduce((sum, { usage }) => sum + (usage ? usage.inputTokens + usage.outputTokens : 0), 0);
    const messages = hasFailures ? await messagesOf(em, id) : new Map<string, string>();
    const { ending, style } = decide({ artwork, images, texts, tokens, messages });
    const eventId = newId('evt');
    const view = viewArtwork({ ...artwork, ...ending }, images, links);
    const eventBody = JSON.stringify(viewEvent(view, eventId, ending.finishedAt));
    if (style) await em.insert(Style, style);
    if (ending.status === 'CANCELED') await em.nativeDelete(Image, { artwork: id });
    await em.nativeUpdate(Artwork, { id }, { ...ending, plan: null, eventId, eventBody });
    await discardJobs(em, id, ending.finishedAt);
    if (artwork.webhookUrl != null) await em.insert(DueDelivery, { artwork: id, dueAt: ending.finishedAt });
    await settle(em, artwork, ending.charged, ending.finishedAt);
    return ending.status;
  });
}

/**
 * Ends an artwork as CANCELED, unless it has ended.
 * @returns the status after this call or an earlier end; null when the artwork is deleted
 */
export function endAsCanceled(deps: Dependencies & { now(): number }, id: string): Promise<Outcome | null> {
  const nothing = { errorCode: null, errorMessage: null, failures: null, charged: 0, styleDnaId: null };
  return endArtwork(deps, id, { hasFailures: false }, () => ({
    ending: { ...nothing, status: 'CANCELED', finishedAt: new Date(deps.now()) },
    style: null,
  }));
}
