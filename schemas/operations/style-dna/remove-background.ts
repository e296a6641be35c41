/** Style-dna remove background: the subject with alpha, for keys of the style feature. */
import { backgroundRemoval } from '../../background-removal.ts';

export const operation = backgroundRemoval('style-dna/remove-background', 'style-dna');
