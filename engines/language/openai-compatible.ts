/** Language models behind any server that speaks OpenAI's chat completions: OpenAI itself, vLLM, llama.cpp, Ollama, gateways. */
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { LanguageModel } from 'ai';
import { Agent, fetch } from 'undici';
import { EngineError, type Engine } from '../engine.ts';
import { dialect } from './dialect.ts';
import { toEngineError } from './failures.ts';
import { picturesOf } from './pictures.ts';
import { write } from './write.ts';

export interface LanguageEngineOptions {
  /** Of the engine: the first half of `model` in its answers. */
  name: string;
  /** Up to the version: `https://api.openai.com/v1`. */
  baseUrl: string;
  /** Servers at home often want none. */
  apiKey?: string | undefined;
  /** As the server calls it. */
  model: string;
  /** Milliseconds for one call. */
  timeout?: number | undefined;
  /** Whether the server holds a model to a JSON Schema (`response_format`). If not, the schema stands in the messages. */
  supportsJsonSchema?: boolean | undefined;
  /** Whether the model can see: it gets the images that a style is described from. */
  vision?: boolean | undefined;
}

/** Bytes: a longer answer is none. */
const longestAnswer = 8 * 1024 * 1024;

/** @throws Error when `baseUrl` is not one */
export function createLanguageEngine(options: LanguageEngineOptions): Engine {
  const { name, timeout = 60_000, supportsJsonSchema = false, vision = false } = options;
  // The call's own timeout is the only one.
  const agent = new Agent({ headersTimeout: 0, bodyTimeout: 0, maxResponseSize: longestAnswer });
  const model = connect(options, agent);
  return {
    name,
    tasks: ['write'],
    async run({ task, params }, { signal }) {
      signal.throwIfAborted();
      if (task !== 'write') throw new EngineError('internal_error', `A language engine cannot ${task}`);
      try {
        const pictures = vision ? await picturesOf(params) : [];
        const written = await write(params, { model, signal, timeout, supportsJsonSchema, pictures });
        return { model: `${name}/${options.model}`, written };
      } catch (error) {
        // Whoever stopped it knows why.
        signal.throwIfAborted();
        throw toEngineError(error);
      }
    },
    close: () => agent.destroy(),
  };
}

function connect({ baseUrl, apiKey, model, supportsJsonSchema }: LanguageEngineOptions, agent: Agent): LanguageModel {
  const url = URL.parse(baseUrl);
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash) {
    throw new Error('The address of a language model is http(s)://host/path, without credentials or query');
  }
  // A redirect is not followed: it would take prompts to whomever it names.
  const send = (input: string, init: object) => fetch(input, { ...init, dispatcher: agent, redirect: 'manual' });
  const key = apiKey?.trim();
  return createOpenAICompatible({
    name: 'language',
    baseURL: url.href,
    ...(key && { apiKey: key }),
    supportsStructuredOutputs: supportsJsonSchema ?? false,
    fetch: send as unknown as typeof globalThis.fetch,
    ...dialect(url),
  }).chatModel(model);
}
