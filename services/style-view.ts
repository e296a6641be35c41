/** An encoded style as clients read it. */
import type { StyleView } from '../schemas/style-dna.ts';
import type { Style } from '../store/entities.ts';

/** Returns a stored style with its encoding. */
export function viewStyle({ id, name, dna, createdAt }: Style): StyleView {
  return { id, name, createdAt: createdAt.toISOString(), dna };
}
