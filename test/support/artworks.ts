/** Artworks as the API would store them, for tests that work on the store alone. */
import type { Call } from '../../schemas/plan.ts';
import type { NewArtwork } from '../../store/artworks.ts';
import { newId } from '../../store/ids.ts';

/** A call that draws one image. */
const drawing: Call = {
  id: 'image-1',
  task: 'text-to-image',
  model: 'selena',
  summary: 'a picture',
  params: {
    prompt: 'a boat',
    negativePrompt: null,
    style: null,
    width: 256,
    height: 256,
    seed: 7,
    transparentBackground: false,
    seamless: false,
    nsfw: true,
    outputFormat: 'png',
  },
};

/** Returns an artwork of one image. @param price credits for the image */
export function newArtwork({ org, key, price }: { org: string; key: string; price: number }): NewArtwork {
  const now = new Date();
  return {
    id: newId('art'),
    org,
    key,
    operation: 'selena',
    domain: 'artworks-internal',
    input: {},
    plan: { prompt: null, stages: [{ name: 'generate', calls: [drawing] }] },
    metadata: {},
    webhookUrl: null,
    createdAt: now,
    expiresAt: new Date(now.getTime() + 60_000),
    quote: { price, tariff: { base: price, perImage: 0, perMegapixel: 0, perThousandTokens: 0 } },
  };
}
