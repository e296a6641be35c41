/** Artworks as the API would store them, for tests that work on the store alone. */
import type { NewArtwork } from '../../store/artworks.ts';
import { newId } from '../../store/ids.ts';

/** @param price of an image, of which it makes one */
export function newArtwork({ org, key, price }: { org: string; key: string; price: number }): NewArtwork {
  const now = new Date();
  const call = { id: 'image-1', task: 'text-to-image' as const, model: 'selena', summary: 'a picture', params: {} };
  return {
    id: newId('art'),
    org,
    key,
    operation: 'selena',
    domain: 'artworks-internal',
    input: {},
    plan: { prompt: null, stages: [{ name: 'generate', calls: [call] }] },
    metadata: {},
    webhookUrl: null,
    createdAt: now,
    expiresAt: new Date(now.getTime() + 60_000),
    quote: { price, tariff: { base: price, perImage: 0, perMegapixel: 0, perThousandTokens: 0 } },
  };
}
