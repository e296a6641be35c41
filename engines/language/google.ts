/** Language models of Google's Gemini API. */
import { createGoogle } from '@ai-sdk/google';
import type { Engine } from '../contract/index.ts';
import { openConnection } from '../upstream/connection.ts';
import { googleAddress } from '../upstream/google/address.ts';
import { largestResponse, writingEngine, type WritingModel } from './engine.ts';

export interface GoogleLanguageEngineOptions extends Pick<
  WritingModel,
  'name' | 'timeout' | 'supportsJsonSchema' | 'vision'
> {
  /** Replaces Google's own address, including the version: `https://generativelanguage.googleapis.com/v1beta`. */
  baseUrl?: string | undefined;
  apiKey: string;
  /** Google's name for the model: `gemini-3.5-flash`. */
  model: string;
}

/** By default Gemini's models enforce a JSON Schema and accept images. @throws Error when `baseUrl` is invalid */
export function createGoogleLanguageEngine(options: GoogleLanguageEngineOptions): Engine {
  const {
    name,
    baseUrl = googleAddress,
    apiKey,
    model: id,
    timeout,
    supportsJsonSchema = true,
    vision = true,
  } = options;
  const connection = openConnection(baseUrl, { owner: 'a language model', largestResponse });
  const google = createGoogle({ baseURL: connection.url, apiKey: apiKey.trim(), fetch: connection.fetch });
  const model = google.chat(id);
  return writingEngine({ name, id, model, connection, timeout, supportsJsonSchema, vision });
}
