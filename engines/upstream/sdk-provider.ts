/** A provider behind image models of the AI SDK: sends once, and lets nothing be dropped in silence. */
import { APICallError, generateImage, wrapImageModel } from 'ai';
import { EngineError } from '../contract/index.ts';
import type { Connection } from './connection.ts';
import type { DirectProvider, ProviderRequest } from './provider.ts';
import { explainSdkError } from './sdk-failures.ts';

/** Bytes of an answer, which holds its image in base64. One of 4K is under 30 MB as PNG. */
export const longestAnswer = 64 * 1024 * 1024;

type Image = Parameters<typeof generateImage>[0];
type Model = Parameters<typeof wrapImageModel>[0]['model'];
type Result = Awaited<ReturnType<ReturnType<typeof wrapImageModel>['doGenerate']>>;

export interface Sdk {
  /** As the operator calls it: in every message. */
  name: string;
  connection: Connection;
  model(id: string): Model;
  /** What the SDK is asked for. @throws EngineError for an input that it would not honour */
  ask(request: ProviderRequest): Promise<Pick<Image, 'prompt' | 'size' | 'aspectRatio' | 'seed' | 'providerOptions'>>;
  /** Finds the reason why an answer has no image. @throws EngineError */
  inspect?(result: Result): void;
  /** A list that costs nothing and that only a good key opens. */
  listing: { path: string; headers: Record<string, string> };
}

export function sdkProvider({ name, connection, model, ask, inspect, listing }: Sdk): DirectProvider {
  const wrapGenerate = async ({ doGenerate }: { doGenerate: () => PromiseLike<Result> }) => {
    const result = await doGenerate();
    // Whatever is known to be dropped is refused before; this is for what a newer SDK drops. It would print these.
    if (result.warnings.length > 0)
      throw new EngineError('provider_rejected', `${name} was not given all of the input`);
    inspect?.(result);
    return result;
  };
  return {
    kind: 'direct',
    async run(request, signal) {
      signal.throwIfAborted();
      const asked = await ask(request);
      const { images } = await generateImage({
        ...asked,
        model: wrapImageModel({
          model: model(request.model),
          middleware: { specificationVersion: 'v4', wrapGenerate },
        }),
        // Temporal tries again, on any worker.
        maxRetries: 0,
        abortSignal: signal,
      });
      return { images: images.map(({ uint8Array }) => uint8Array) };
    },
    explain: (error) => explainSdkError(name, error),
    async ping(signal) {
      const url = `${connection.url}${listing.path}`;
      const response = await connection.fetch(url, { headers: listing.headers, signal });
      const answer = await response.text();
      if (response.ok && isJson(answer)) return;
      // As the SDK itself would throw it.
      throw new APICallError({
        message: 'No list',
        url,
        requestBodyValues: {},
        statusCode: response.status,
        responseHeaders: Object.fromEntries(response.headers),
        responseBody: answer,
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
