/** Image models behind any server that speaks like OpenAI's images: LocalAI, vLLM, Together, gateways. */
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import Type from 'typebox';
import { type Connection, openConnection } from './connection.ts';
import { drawingReader } from './drawing.ts';
import { askLikeOpenAI } from './openai-drawing.ts';
import type { DirectProvider, Protocol } from './provider.ts';
import { longestAnswer, sdkProvider } from './sdk-provider.ts';

const size = { from: 'size' };
/** Without, many servers answer with a link, which may lead to a private address of theirs. */
const providerOptions = { openaiCompatible: { response_format: 'b64_json' } };

const generation = drawingReader(['prompt', 'size'], {
  openaiCompatible: Type.Record(Type.String(), Type.Unknown()),
});
/** A form has no objects and no lists. */
const edit = drawingReader(['prompt', 'size', 'images', 'mask'], {
  openaiCompatible: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean()])),
});

export const openaiCompatible: Protocol = {
  name: 'openai-compatible',
  tasks: ['text-to-image', 'vary-image', 'edit-image'],
  answersAtOnce: true,
  needsKey: false,
  defaults: {
    'text-to-image': { prompt: { from: 'styledPrompt' }, size, providerOptions },
    'edit-image': {
      prompt: { from: 'styledInstruction' },
      images: [{ from: 'image' }],
      mask: { from: 'mask' },
      size,
      providerOptions,
    },
  },
  output: '/images/*',
  connect({ name, baseUrl, apiKey: key }) {
    const apiKey = key?.trim();
    const connection = openConnection(addressOf(name, baseUrl), { whose: 'an engine', longestAnswer });
    const client = createOpenAICompatible({
      name: 'openaiCompatible',
      baseURL: connection.url,
      ...(apiKey && { apiKey }),
      fetch: linksAsFiles(connection),
    });
    const provider = sdkProvider({
      name,
      connection,
      model: (id) => client.imageModel(id),
      ask: ({ input }) => askLikeOpenAI((input['images'] ? edit : generation)(name, input)),
      listing: { path: '/models', headers: apiKey ? { authorization: `Bearer ${apiKey}` } : {} },
    });
    return { ...provider, run: async (request, signal) => links(await provider.run(request, signal)) };
  },
  async languageModel({ name, baseUrl, apiKey }, { model, vision, jsonSchema }) {
    const { createLanguageEngine } = await import('../language/openai-compatible.ts');
    const limits = { timeout: null, supportsJsonSchema: jsonSchema, vision };
    return createLanguageEngine({ name, baseUrl: addressOf(name, baseUrl), apiKey, model, ...limits });
  },
};

/** @throws Error for an engine without an address: this protocol has none of its own */
function addressOf(name: string, baseUrl: string | undefined): string {
  if (baseUrl === undefined) throw new Error(`The engine ${name} needs a "baseUrl"`);
  return baseUrl;
}

/** The SDK would fetch a link by itself. It gets the link as if it were the file, so that our guarded client fetches it. */
function linksAsFiles({ fetch }: Connection): typeof globalThis.fetch {
  return async (input, init) => (init?.method === 'POST' ? fetch(input, init) : new Response(input as string));
}

function links(output: Awaited<ReturnType<DirectProvider['run']>>) {
  const { images } = output as { images: Uint8Array[] };
  return { images: images.map((bytes) => link(bytes) ?? bytes) };
}

/** @returns null for a file: none of ours begins like an address */
function link(bytes: Uint8Array): string | null {
  const start = Buffer.from(bytes.subarray(0, 8)).toString('latin1');
  return /^(?:https?:|data:)/u.test(start) ? Buffer.from(bytes).toString('utf8') : null;
}
