/** An encoded style as clients read it. */
import type { EncodedStyle } from '../schemas/style-dna.ts';
import type { Style } from '../store/entities.ts';

interface StyleView {
  id: string;
  name: string;
  createdAt: string;
  dna: EncodedStyle;
}

/** Returns a stored style with its encoding. */
export function viewStyle({ id, name, dna, createdAt }: Style): StyleView {
  return { id, name, createdAt: createdAt.toISOString(), dna };
}
