/** A server that speaks Google's Gemini API (POST /v1beta/models/…:generateContent, GET /v1beta/models), for images and for text. */
import { type FakeResponse, type DirectFake, type Product, startDirectFake } from './direct-fake.ts';
import { fakePicture, hugePicture, notAnImage } from './fake-pictures.ts';
import type { FakeOptions } from './upstream-fake.ts';
import { type GenerateContent, googleFailures, refuseContent, refuseGoogleKey, sizes } from './google-wire.ts';

export interface GoogleOptions extends FakeOptions {
  /** Response to a request for text. */
  text?: string;
}

export function startGoogle({
  apiKey,
  text = 'A quiet garden.',
  file: given = () => null,
}: GoogleOptions = {}): Promise<DirectFake> {
  return startDirectFake({
    base: '/v1beta',
    failures: googleFailures,
    freeRead({ method, path }) {
      if (method !== 'GET' || !path.startsWith('/v1beta/models')) return null;
      const model = { name: 'models/gemini-3.1-flash-image', supportedGenerationMethods: ['generateContent'] };
      return { status: 200, body: { models: [model], nextPageToken: 'Q2' } };
    },
    refuse: (request) => refuseGoogleKey(request, apiKey) ?? (request.method === 'GET' ? null : refuseContent(request)),
    async produce({ body }, product) {
      const { generationConfig } = body as GenerateContent;
      if (!generationConfig?.responseModalities?.includes('IMAGE')) return contentOf([{ text }]);
      if (product === 'private-link' || product === 'dead-link') return null;
      if (product === 'no-image') return contentOf([{ text: 'I cannot draw that.' }]);
      const file = given()?.bytes ?? (await drawn(product, generationConfig.imageConfig?.aspectRatio));
      return contentOf([{ inlineData: { mimeType: 'image/jpeg', data: Buffer.from(file).toString('base64') } }]);
    },
  });
}

function drawn(product: Product, aspectRatio = '1:1'): Promise<Uint8Array> | Uint8Array {
  if (product === 'huge-image') return hugePicture();
  const [width, height] = sizes[aspectRatio] ?? [1024, 1024];
  return product === 'not-an-image' ? notAnImage : fakePicture({ width, height, format: 'jpeg' });
}

/** Returns a `GenerateContentResponse`. */
export const contentOf = (parts: object[] | null, finishReason = 'STOP'): FakeResponse => ({
  status: 200,
  body: {
    candidates: [{ ...(parts && { content: { parts, role: 'model' } }), finishReason, index: 0 }],
    usageMetadata: { promptTokenCount: 12, candidatesTokenCount: 1290, totalTokenCount: 1302 },
    modelVersion: 'gemini-3.1-flash-image',
    responseId: 'r-0123',
  },
});

/** Returns the response to a blocked prompt, which has no candidates. */
export const blockedOf = (blockReason: string): FakeResponse => ({
  status: 200,
  body: { promptFeedback: { blockReason }, usageMetadata: { promptTokenCount: 12, totalTokenCount: 12 } },
});
