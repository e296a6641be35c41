/** Shared by the tests of language engines: an engine with a fake server, and functions that call it. */
import { afterAll, beforeAll } from '@jest/globals';
import type { Engine, EngineError } from '../../../engines/contract/index.ts';
import { createLanguageEngine, type LanguageEngineOptions } from '../../../engines/language/openai-compatible.ts';
import type { Writing, Written } from '../../../schemas/writing.ts';
import { type OpenAiChat, type OpenAiChatOptions, startOpenAiChat } from '../../upstreams/openai-chat.ts';

export const apiKey = 'sk-proj-N0tForAnyonesEyes';

export interface Bench {
  server: OpenAiChat;
  engine: Engine;
}

/** Exists for the whole test file. The properties are set when tests run. */
export function bench(options: Partial<LanguageEngineOptions> = {}, rules: OpenAiChatOptions = { apiKey }): Bench {
  const made = {} as Bench;
  beforeAll(async () => {
    made.server = await startOpenAiChat(rules);
    made.engine = createLanguageEngine({
      name: 'house',
      baseUrl: made.server.url,
      apiKey,
      model: 'gpt-small',
      ...options,
    });
  });
  afterAll(async () => {
    await made.engine.close();
    await made.server.close();
  });
  return made;
}

export function call(engine: Engine, params: Writing, signal = new AbortController().signal) {
  return engine.run({ task: 'write', model: 'seer', idempotencyKey: 'art_1-seer', params }, { signal });
}

export async function written(engine: Engine, params: Writing): Promise<Written> {
  const { written: result } = await call(engine, params);
  if (!result) throw new Error('The engine wrote nothing');
  return result;
}

/** @throws Error when the call succeeds */
export async function failure(engine: Engine, params: Writing, signal?: AbortSignal): Promise<EngineError> {
  const failed = await call(engine, params, signal).then(
    () => null,
    (error: unknown) => error as EngineError,
  );
  if (!failed) throw new Error('The call succeeded');
  return failed;
}
