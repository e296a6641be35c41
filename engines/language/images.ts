/** Prepares the images whose style a model describes: small enough to be sent with the messages. */
import sharp from 'sharp';
import type { Writing } from '../../schemas/writing.ts';

/** Pixels of the longer side. A style is recognizable at this size. */
const side = 1024;

export interface Picture {
  bytes: Uint8Array;
  mediaType: 'image/jpeg';
}

export function picturesOf(writing: Writing): Promise<Picture[]> {
  const images = writing.purpose === 'describe-style' ? (writing.facts.images ?? []) : [];
  return Promise.all(
    images.map(async ({ bytes }) => {
      const small = sharp(bytes).resize(side, side, { fit: 'inside', withoutEnlargement: true });
      return { bytes: await small.flatten({ background: '#ffffff' }).jpeg().toBuffer(), mediaType: 'image/jpeg' };
    }),
  );
}
