/** Builds the views of any number of artworks with at most two queries. */
import type { ArtworkView } from '../schemas/artwork.ts';
import { findImagesOf } from '../store/results.ts';
import type { Artwork } from '../store/entities.ts';
import { findProgress, type Progress } from './progress.ts';
import { viewArtwork } from '../schemas/artwork-view.ts';
import type { ServiceDependencies } from './dependencies.ts';

export interface ArtworkWithProgress {
  view: ArtworkView;
  /** Null unless the artwork is PROCESSING. */
  progress: Progress | null;
}

/** Returns the views in the order of the artworks. */
export async function showArtworks(
  { db, links }: Pick<ServiceDependencies, 'db' | 'links'>,
  artworks: readonly Artwork[],
): Promise<ArtworkWithProgress[]> {
  const succeeded = artworks.filter(({ status }) => status === 'SUCCEEDED').map(({ id }) => id);
  const [images, progress] = await Promise.all([findImagesOf(db, succeeded), findProgress(db, artworks)]);
  return artworks.map((artwork) => {
    const at = progress.get(artwork.id) ?? null;
    return { view: viewArtwork(artwork, images.get(artwork.id) ?? [], links, at?.stage), progress: at };
  });
}
