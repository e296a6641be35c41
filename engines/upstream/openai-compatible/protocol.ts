/** Image models behind any server whose API follows OpenAI's images API: LocalAI, vLLM, Together, gateways. */
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import Type from 'typebox';
import { type Connection, openConnection } from '../connection.ts';
import { imageRequest } from '../openai/image-request.ts';
import type { DirectProvider, Protocol } from '../provider.ts';
import { inputReader } from '../sdk-input.ts';
import { largestResponse, sdkProvider } from '../sdk-provider.ts';
import { defaultMapping } from './mapping.ts';

const readGeneration = inputReader(['prompt', 'size'], {
  openaiCompatible: Type.Record(Type.String(), Type.Unknown()),
});
/** Edits are sent as a form, which has no objects and no lists. */
const readEdit = inputReader(['prompt', 'size', 'images', 'mask'], {
  openaiCompatible: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean()])),
});

export const openaiCompatible: Protocol = {
  name: 'openai-compatible',
  tasks: ['text-to-image', 'vary-image', 'edit-image'],
  isDirect: true,
  needsKey: false,
  defaultMapping,
  output: '/images/*',
  connect({ name, baseUrl, apiKey: key }) {
    const apiKey = key?.trim();
    const connection = openConnection(requireAddress(name, baseUrl), { owner: 'an engine', largestResponse });
    const client = createOpenAICompatible({
      name: 'openaiCompatible',
      baseURL: connection.url,
      ...(apiKey && { apiKey }),
      fetch: returnLinks(connection),
    });
    const provider = sdkProvider({
      name,
      connection,
      model: (id) => client.imageModel(id),
      request: ({ input }) => imageRequest((input['images'] ? readEdit : readGeneration)(name, input)),
      listing: { path: '/models', headers: apiKey ? { authorization: `Bearer ${apiKey}` } : {} },
    });
    return { ...provider, run: async (request, signal) => restoreLinks(await provider.run(request, signal)) };
  },
  async languageModel({ name, baseUrl, apiKey }, { model, vision, jsonSchema }) {
    const { createLanguageEngine } = await import('../../language/openai-compatible.ts');
    const limits = { timeout: null, supportsJsonSchema: jsonSchema, vision };
    return createLanguageEngine({ name, baseUrl: requireAddress(name, baseUrl), apiKey, model, ...limits });
  },
};

/** @throws Error when the engine has no address, because this protocol has no default one */
function requireAddress(name: string, baseUrl: string | undefined): string {
  if (baseUrl === undefined) throw new Error(`The engine ${name} has no "baseUrl". Add the address of its server.`);
  return baseUrl;
}

/**
 * Wraps `fetch` so that the SDK's own download of a link returns the link itself as the file. The engine then downloads
 * the link through the guarded client.
 */
function returnLinks({ fetch }: Connection): typeof globalThis.fetch {
  return async (input, init) => (init?.method === 'POST' ? fetch(input, init) : new Response(input as string));
}

function restoreLinks(output: Awaited<ReturnType<DirectProvider['run']>>) {
  const { images } = output as { images: Uint8Array[] };
  return { images: images.map((bytes) => linkIn(bytes) ?? bytes) };
}

/** Returns null for an image file: no supported format begins like an address. */
function linkIn(bytes: Uint8Array): string | null {
  const start = Buffer.from(bytes.subarray(0, 8)).toString('latin1');
  return /^(?:https?:|data:)/u.test(start) ? Buffer.from(bytes).toString('utf8') : null;
}
