/** Artworks as clients read them, with all that is to be looked up for it: two queries at most, for any number of them. */
import type { ArtworkView } from '../schemas/artwork.ts';
import { findImagesOf } from '../store/artworks.ts';
import type { Artwork } from '../store/entities.ts';
import { findProgress, type Progress } from './progress.ts';
import { viewArtwork } from '../schemas/artwork-view.ts';
import type { ServiceDependencies } from './dependencies.ts';

export interface Shown {
  view: ArtworkView;
  /** Null unless it is being worked on. */
  progress: Progress | null;
}

/** In their order. */
export async function showArtworks(
  { db, links }: Pick<ServiceDependencies, 'db' | 'links'>,
  artworks: readonly Artwork[],
): Promise<Shown[]> {
  const succeeded = artworks.filter(({ status }) => status === 'SUCCEEDED').map(({ id }) => id);
  const [images, progress] = await Promise.all([findImagesOf(db, succeeded), findProgress(db, artworks)]);
  return artworks.map((artwork) => {
    const at = progress.get(artwork.id) ?? null;
    return { view: viewArtwork(artwork, images.get(artwork.id) ?? [], links, at?.stage), progress: at };
  });
}
