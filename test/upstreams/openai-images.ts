/** A server that speaks OpenAI's images (POST /v1/images/generations and /v1/images/edits, GET /v1/models). */
import { type FakeResponse, type DirectFake, type Product, startDirectFake } from './direct-fake.ts';
import { fakePicture, hugePicture, notAnImage } from './fake-pictures.ts';
import type { FakeOptions } from './upstream-fake.ts';
import { imageFailures, refuseEdit, refuseGeneration, refuseKey } from './openai-images-wire.ts';

export interface OpenAiImagesOptions extends FakeOptions {
  /** Compatible servers return links to their own files unless the request sets `response_format`. */
  respondsWithLinks?: boolean;
}

export async function startOpenAiImages(options: OpenAiImagesOptions = {}): Promise<DirectFake> {
  const { apiKey, respondsWithLinks = false, file: given = () => null } = options;
  const files = new Map<string, Uint8Array>();
  const fake: DirectFake = await startDirectFake({
    base: '/v1',
    failures: imageFailures,
    freeRead({ method, path }) {
      if (method !== 'GET') return null;
      const file = files.get(path);
      if (file) return { status: 200, body: file };
      if (path !== '/v1/models') return { status: 404, body: '' };
      const models = ['gpt-image-2.5-flare', 'gpt-image-2.5-sunburst', 'gpt-image-1.5'];
      return { status: 200, body: { object: 'list', data: models.map((id) => ({ id, object: 'model' })) } };
    },
    async refuse(request) {
      // A link works without a key.
      if (request.path.startsWith('/v1/files/')) return null;
      const refused = refuseKey(request, apiKey);
      if (refused || request.method === 'GET') return refused;
      return request.path === '/v1/images/edits' ? refuseEdit(request) : refuseGeneration(request);
    },
    produce: async ({ body }, product) => respond(body as Record<string, unknown>, product),
  });

  async function respond(body: Record<string, unknown>, product: Product): Promise<FakeResponse> {
    const format = (body['output_format'] as 'png' | undefined) ?? 'png';
    const isTransparent = body['background'] === 'transparent';
    const data = await Promise.all(
      Array.from({ length: product === 'no-image' ? 0 : Number(body['n'] ?? 1) }, async () => {
        if (product === 'private-link') return { url: 'http://169.254.169.254/latest/meta-data/image.png' };
        if (product === 'dead-link') return { url: `${fake.url}/files/gone.png` };
        const [width = 1024, height = 1024] = sizeOf(body['size']);
        const file =
          given()?.bytes ??
          (product === 'huge-image'
            ? await hugePicture()
            : product === 'not-an-image'
              ? notAnImage
              : await fakePicture({ width, height, format, isTransparent }));
        return respondsWithLinks && body['response_format'] !== 'b64_json' ? link(file) : b64(file);
      }),
    );
    const usage = { input_tokens: 50, output_tokens: 4160, total_tokens: 4210 };
    return { status: 200, body: { created: 1763740800, data, output_format: format, size: body['size'], usage } };
  }

  function link(file: Uint8Array) {
    const path = `/v1/files/${files.size}.png`;
    files.set(path, file);
    return { url: new URL(path, fake.url).href };
  }
  return fake;
}

const b64 = (file: Uint8Array) => ({ b64_json: Buffer.from(file).toString('base64') });

function sizeOf(size: unknown): number[] {
  return typeof size === 'string' && size !== 'auto' ? size.split('x').map(Number) : [];
}
