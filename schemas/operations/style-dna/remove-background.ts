/** Style-dna remove background: the subject with alpha, for keys with the domain style-dna. */
import { backgroundRemoval } from '../../background-removal.ts';

export const operation = backgroundRemoval('style-dna/remove-background', 'style-dna');
