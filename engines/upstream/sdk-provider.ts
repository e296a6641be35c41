/** A provider behind the AI SDK's image models. Sends each request once and fails when the SDK drops a field. */
import { APICallError, generateImage, wrapImageModel } from 'ai';
import { EngineError } from '../contract/index.ts';
import type { Connection } from './connection.ts';
import type { DirectProvider, ProviderRequest } from './provider.ts';
import { explainSdkError } from './sdk-failures.ts';

/** Maximum bytes of a response, which contains the image in base64. A 4K image is under 30 MB as PNG. */
export const largestResponse = 64 * 1024 * 1024;

type Options = Parameters<typeof generateImage>[0];
type Model = Parameters<typeof wrapImageModel>[0]['model'];
type Result = Awaited<ReturnType<ReturnType<typeof wrapImageModel>['doGenerate']>>;

export interface SdkProviderOptions {
  /** The engine's name, for messages. */
  name: string;
  connection: Connection;
  model(id: string): Model;
  /** Returns the SDK's arguments for a request. @throws EngineError for an input that the model does not support */
  request(
    request: ProviderRequest,
  ): Promise<Pick<Options, 'prompt' | 'size' | 'aspectRatio' | 'seed' | 'providerOptions'>>;
  /** Throws an EngineError that explains a result without images. */
  inspect?(result: Result): void;
  /** A free endpoint that requires a valid key and responds with a list. */
  listing: { path: string; headers: Record<string, string> };
}

export function sdkProvider(options: SdkProviderOptions): DirectProvider {
  const { name, connection, model, inspect, listing } = options;
  const wrapGenerate = async ({ doGenerate }: { doGenerate: () => PromiseLike<Result> }) => {
    const result = await doGenerate();
    // Known unsupported fields were rejected before; this catches those that only a newer SDK drops. The SDK would print
    // the warnings.
    if (result.warnings.length > 0) {
      throw new EngineError('provider_rejected', `${name} does not support all fields of the input. Change "input".`);
    }
    inspect?.(result);
    return result;
  };
  return {
    kind: 'direct',
    async run(request, signal) {
      signal.throwIfAborted();
      const { images } = await generateImage({
        ...(await options.request(request)),
        model: wrapImageModel({
          model: model(request.model),
          middleware: { specificationVersion: 'v4', wrapGenerate },
        }),
        // Temporal retries, on any worker.
        maxRetries: 0,
        abortSignal: signal,
      });
      return { images: images.map(({ uint8Array }) => uint8Array) };
    },
    explain: (error) => explainSdkError(name, error),
    async ping(signal) {
      const url = `${connection.url}${listing.path}`;
      const response = await connection.fetch(url, { headers: listing.headers, signal });
      const body = await response.text();
      if (response.ok && isJson(body)) return;
      // The error that the SDK itself would throw.
      throw new APICallError({
        message: 'No list',
        url,
        requestBodyValues: {},
        statusCode: response.status,
        responseHeaders: Object.fromEntries(response.headers),
        responseBody: body,
      });
    },
    close: () => connection.close(),
  };
}

function isJson(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'object';
  } catch {
    return false;
  }
}
