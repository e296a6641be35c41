/** Finds an artwork on behalf of a key. */
import type { Use } from '../schemas/object-access.ts';
import { mayUseArtwork } from '../store/artwork-list.ts';
import { findArtwork } from '../store/artworks.ts';
import type { ApiKey, Artwork } from '../store/entities.ts';
import type { ServiceDependencies } from './dependencies.ts';
import { Problem } from './problem.ts';

/** @throws Problem `not_found` when the artwork does not exist, has expired, or is not for this use by the key */
export async function findUsableArtwork(
  deps: Pick<ServiceDependencies, 'db' | 'now'>,
  key: ApiKey,
  id: string,
  use: Use,
): Promise<Artwork> {
  const artwork = await findArtwork(deps.db, id);
  if (artwork && mayUseArtwork(key, artwork, use, new Date(deps.now()))) return artwork;
  throw use === 'read' ? artworkNotFound() : new Problem('not_found', { message: notChangeable });
}

export const artworkNotFound = () =>
  new Problem('not_found', { message: 'There is no such artwork, or it has expired.' });

const notChangeable = 'There is no artwork with this id that this key can change, or it has expired.';
