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
  /** In place of Google's own, up to the version: `https://generativelanguage.googleapis.com/v1beta`. */
  baseUrl?: string | undefined;
  apiKey: string;
  /** As Google calls it: `gemini-3.5-flash`. */
  model: string;
}

/** Gemini's models keep to a JSON Schema and can see, if nothing else is said. @throws Error when `baseUrl` is not one */
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
