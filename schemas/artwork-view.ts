/** Converts a stored artwork into the representation that clients read: the body of GET and, with three more fields, of the webhook. */
import type { Environment } from './access.ts';
import type { ArtworkEvent, ArtworkView, Outcome, Status } from './artwork.ts';
import { type ArtworkError, errors, isErrorCode } from './errors.ts';
import type { Role } from './image.ts';

/** The columns of an artwork that its view shows. */
interface StoredArtwork {
  id: string;
  status: Status | 'ABANDONED';
  operation: string;
  environment: Environment;
  errorCode?: string | null | undefined;
  errorMessage?: string | null | undefined;
  input: Record<string, unknown>;
  prompt?: string | null | undefined;
  failures?: { model: string; code: string; message: string | null }[] | null | undefined;
  styleDnaId?: string | null | undefined;
  charged: number;
  metadata: Record<string, string>;
  createdAt: Date;
  startedAt?: Date | null | undefined;
  finishedAt?: Date | null | undefined;
  expiresAt: Date;
}

interface StoredImage {
  name: string;
  role: Role | 'input';
  contentType: string;
  width: number;
  height: number;
  bytes: number;
  sha256: string;
  seed?: number | null | undefined;
  model: string;
}

interface ImageLinks {
  /** Returns a signed link to an image, which works until `expiresAt`. */
  make(artworkId: string, name: string, expiresAt: Date): string;
}

/**
 * Returns the artwork as clients read it. Only a succeeded artwork shows its images.
 * @param stage the current stage of the plan; null when there is none
 * @throws Error for an abandoned artwork, which no client can read
 */
export function viewArtwork(
  artwork: StoredArtwork,
  images: readonly StoredImage[],
  links: ImageLinks,
  stage: string | null = null,
): ArtworkView {
  if (artwork.status === 'ABANDONED') throw new Error('an abandoned artwork has no view');
  const errorCode = artwork.errorCode ?? null;
  return {
    id: artwork.id,
    status: artwork.status,
    ...(stage !== null && { stage }),
    operation: artwork.operation,
    environment: artwork.environment,
    error: errorCode === null ? null : viewError(errorCode, artwork.errorMessage ?? null),
    errorCode,
    input: artwork.input,
    prompt: artwork.prompt ?? null,
    images: artwork.status === 'SUCCEEDED' ? viewImages(artwork, images, links) : [],
    ...(artwork.failures && {
      failures: artwork.failures.map(({ model, code, message }) => ({
        model,
        error: viewError(code, message),
        errorCode: code,
      })),
    }),
    styleDnaId: artwork.styleDnaId ?? styleOf(artwork.input),
    credits: { charged: artwork.charged },
    metadata: artwork.metadata,
    createdAt: artwork.createdAt.toISOString(),
    startedAt: artwork.startedAt?.toISOString() ?? null,
    finishedAt: artwork.finishedAt?.toISOString() ?? null,
    expiresAt: artwork.expiresAt.toISOString(),
  };
}

/** Returns the style in which an artwork is made; null when its request names none. */
const styleOf = ({ styleDnaId }: StoredArtwork['input']): string | null =>
  typeof styleDnaId === 'string' ? styleDnaId : null;

/** Returns exactly `{status, message}`, from the error table. */
function viewError(code: string, message: string | null): ArtworkError {
  const row = errors[isErrorCode(code) ? code : 'internal_error'];
  return { status: row.status, message: message ?? row.message };
}

function viewImages(
  { id, expiresAt }: StoredArtwork,
  images: readonly StoredImage[],
  links: ImageLinks,
): ArtworkView['images'] {
  return images.flatMap(({ name, contentType, width, height, bytes, sha256, seed, model, role }) => {
    if (role === 'input') return [];
    const url = links.make(id, name, expiresAt);
    return [{ url, contentType, width, height, bytes, sha256, seed: seed ?? null, model, role }];
  });
}

/** Returns the body of the webhook of an artwork that has just ended. */
export function viewEvent(view: ArtworkView, eventId: string, ended: Date): ArtworkEvent {
  const type = `artwork.${(view.status as Outcome).toLowerCase() as Lowercase<Outcome>}` as const;
  return { type, eventId, timestamp: ended.toISOString(), ...view };
}
