/** Finds an artwork on behalf of a key. */
import { mayRead } from '../store/artwork-list.ts';
import { findArtwork } from '../store/artworks.ts';
import type { ApiKey, Artwork } from '../store/entities.ts';
import type { ServiceDependencies } from './dependencies.ts';
import { Problem } from './problem.ts';

/** @throws Problem `not_found` when the artwork does not exist, has expired, or is not readable by the key */
export async function findReadableArtwork(
  deps: Pick<ServiceDependencies, 'db' | 'now'>,
  key: ApiKey,
  id: string,
): Promise<Artwork> {
  const artwork = await findArtwork(deps.db, id);
  if (artwork && mayRead(key, artwork, new Date(deps.now()))) return artwork;
  throw artworkNotFound();
}

export const artworkNotFound = () =>
  new Problem('not_found', { message: 'There is no such artwork, or it has expired.' });
