/** Every documented endpoint that no operation file declares. */
import { artworks } from './endpoints/artworks.ts';
import { inputs } from './endpoints/inputs.ts';
import { organizations } from './endpoints/organizations.ts';

export const endpoints = { ...artworks, ...inputs, ...organizations };
