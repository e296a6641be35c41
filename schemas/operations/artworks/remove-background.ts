/** Remove background: the subject alone, with alpha. */
import { backgroundRemoval } from '../../background-removal.ts';

export const operation = backgroundRemoval('remove-background', 'artworks-internal');
