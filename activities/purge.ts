/** The last step of an artwork. It removes the files before the row, so that a repeated purge still finds the row. */
import { deleteArtworkRows } from '../store/artworks.ts';
import type { Dependencies } from './dependencies.ts';

export async function purge(deps: Dependencies, { id }: { id: string }): Promise<void> {
  await deps.files.remove(id);
  await deleteArtworkRows(deps.db, id, new Date(deps.now()));
}
