/** Language models behind any server with OpenAI's chat completions API: OpenAI itself, vLLM, llama.cpp, Ollama, gateways. */
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { Engine } from '../contract/index.ts';
import { openConnection } from '../upstream/connection.ts';
import { dialect } from './dialect.ts';
import { largestResponse, writingEngine, type WritingModel } from './engine.ts';

export interface LanguageEngineOptions extends Pick<
  WritingModel,
  'name' | 'timeout' | 'supportsJsonSchema' | 'vision'
> {
  /** Address including the version: `https://api.openai.com/v1`. */
  baseUrl: string;
  /** Absent for servers that require none. */
  apiKey?: string | undefined;
  /** The server's name for the model. */
  model: string;
  /** Whether the server is OpenAI itself behind another address. OpenAI's own address is recognized. */
  isOpenAi?: boolean | undefined;
}

/** @throws Error when `baseUrl` is invalid */
export function createLanguageEngine(all: LanguageEngineOptions): Engine {
  const { baseUrl, apiKey, model: id, isOpenAi, ...options } = all;
  const connection = openConnection(baseUrl, { owner: 'a language model', largestResponse });
  const key = apiKey?.trim();
  const server = createOpenAICompatible({
    name: 'language',
    baseURL: connection.url,
    ...(key && { apiKey: key }),
    supportsStructuredOutputs: options.supportsJsonSchema ?? false,
    fetch: connection.fetch,
    ...dialect(new URL(connection.url), isOpenAi),
  });
  return writingEngine({ ...options, id, model: server.chatModel(id), connection });
}
