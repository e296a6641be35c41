/** Last step of an artwork: files first, so that a row is left to come back to while any of them remains. */
import { deleteArtwork } from '../store/artworks.ts';
import type { Dependencies } from './dependencies.ts';
import { abandonJobs } from './remote.ts';

export async function purge(deps: Dependencies, { id }: { id: string }): Promise<void> {
  await abandonJobs(deps, id);
  await deps.files.remove(id);
  await deleteArtwork(deps.db, id, new Date(deps.now()));
}
