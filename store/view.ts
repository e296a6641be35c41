/** Rows as clients see them. */
import type { ArtworkEvent, ArtworkView, Outcome } from '../schemas/artwork.ts';
import { type ArtworkError, errors, isErrorCode } from '../schemas/errors.ts';
import type { Artwork, Image } from './entities.ts';
import type { Links } from './links.ts';

/** The artwork on GET and, with more around it, in its event. Images show once the artwork has succeeded. */
export function viewArtwork(
  artwork: Artwork,
  images: readonly Image[],
  links: Links,
  stage: string | null = null,
): ArtworkView {
  if (artwork.status === 'ABANDONED') throw new Error('an abandoned artwork has no view');
  const errorCode = artwork.errorCode ?? null;
  return {
    id: artwork.id,
    status: artwork.status,
    ...(stage !== null && { stage }),
    operation: artwork.operation,
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
    styleDnaId: artwork.styleDnaId ?? null,
    credits: { charged: artwork.charged },
    metadata: artwork.metadata,
    createdAt: artwork.createdAt.toISOString(),
    startedAt: artwork.startedAt?.toISOString() ?? null,
    finishedAt: artwork.finishedAt?.toISOString() ?? null,
    expiresAt: artwork.expiresAt.toISOString(),
  };
}

/** Exactly `{status, message}`, from the error table. */
function viewError(code: string, message: string | null): ArtworkError {
  const row = errors[isErrorCode(code) ? code : 'internal_error'];
  return { status: row.status, message: message ?? row.message };
}

function viewImages({ id, expiresAt }: Artwork, images: readonly Image[], links: Links): ArtworkView['images'] {
  return images.flatMap(({ name, contentType, width, height, bytes, sha256, seed, model, role }) => {
    if (role === 'input') return [];
    const url = links.make(id, name, expiresAt);
    return [{ url, contentType, width, height, bytes, sha256, seed: seed ?? null, model, role }];
  });
}

/** The one event of an artwork that has just ended. */
export function viewEvent(view: ArtworkView, eventId: string, ended: Date): ArtworkEvent {
  const type = `artwork.${(view.status as Outcome).toLowerCase() as Lowercase<Outcome>}` as const;
  return { type, eventId, timestamp: ended.toISOString(), ...view };
}
