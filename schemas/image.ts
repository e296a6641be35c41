/** What an image of an artwork can be, and be encoded as. */

export const roles = ['image', 'mask', 'depth', 'anchor'] as const;
export type Role = (typeof roles)[number];

export const outputFormats = ['png', 'jpeg', 'webp'] as const;
export type OutputFormat = (typeof outputFormats)[number];
