/** Performs one `write` call: sends it to the model and validates the output. */
import { generateText, jsonSchema, Output, type LanguageModel } from 'ai';
import type { FinishReason, Writing, Written } from '../../schemas/writing.ts';
import { EngineError } from '../contract/index.ts';
import { tidy, withoutReasoning } from './output-text.ts';
import { isDeclined } from './refusal.ts';
import { jsonReader, type ReadJson, UnusableOutput } from './json.ts';
import { type Conversation, conversation, schemaOf } from './messages.ts';
import type { Picture } from './images.ts';
import { repair } from './repair.ts';
import { strictSchema } from './strict-schema.ts';

export interface WriteOptions {
  model: LanguageModel;
  signal: AbortSignal;
  /** Milliseconds; null for no limit but the signal. */
  timeout: number | null;
  /** Whether the server enforces a JSON Schema. */
  supportsJsonSchema: boolean;
  /** Sent with the last message. */
  pictures: readonly Picture[];
}

/** @throws errors of the AI SDK, and EngineError for unusable output */
export async function write(writing: Writing, options: WriteOptions): Promise<Written> {
  const { model, signal, timeout, supportsJsonSchema } = options;
  const schema = schemaOf(writing);
  // Detects an invalid schema before the request is sent.
  const readJson = schema && jsonReader(schema, (value) => repair(value, writing));
  const { text, finishReason, usage, response } = await generateText({
    model,
    ...withPictures(conversation(writing, !supportsJsonSchema), options.pictures),
    ...(schema && supportsJsonSchema && structuredOutput(schema)),
    ...(writing.maxTokens !== null && { maxOutputTokens: writing.maxTokens }),
    ...(writing.temperature !== null && { temperature: writing.temperature }),
    // Temporal retries, on any worker.
    maxRetries: 0,
    abortSignal: signal,
    ...(timeout !== null && { timeout }),
    include: { responseBody: true },
  });
  const reason = reasons.find((known) => known === finishReason) ?? 'other';
  if (reason === 'content-filter' || isDeclined(response.body)) {
    throw new EngineError('content_refused', 'The language model refused the content');
  }
  return {
    text: read(withoutReasoning(text), reason, writing, readJson),
    finishReason: reason,
    usage: { inputTokens: usage.inputTokens ?? 0, outputTokens: usage.outputTokens ?? 0 },
  };
}

function withPictures({ instructions, messages }: Conversation, pictures: readonly Picture[]) {
  const last = messages.at(-1);
  if (pictures.length === 0 || last?.role !== 'user') return { instructions, messages };
  const images = pictures.map(({ bytes, mediaType }) => ({ type: 'file' as const, data: bytes, mediaType }));
  const shown = { role: 'user' as const, content: [{ type: 'text' as const, text: last.content }, ...images] };
  return { instructions, messages: [...messages.slice(0, -1), shown] };
}

const reasons: readonly FinishReason[] = ['stop', 'length', 'content-filter'];

function read(output: string, reason: FinishReason, writing: Writing, readJson: ReadJson | null): string {
  if (readJson && reason === 'length') {
    throw new UnusableOutput('The language model ran out of tokens before its JSON ended');
  }
  const text = output && (readJson ? readJson(output) : tidy(output, writing, reason === 'length'));
  if (text === '') throw new UnusableOutput('The language model returned no text');
  return text;
}

/** Returns options that send the schema. We parse the output ourselves, because servers may add code fences all the same. */
function structuredOutput(wanted: object) {
  const { schema, strict } = strictSchema(wanted);
  const { responseFormat } = Output.object({ schema: jsonSchema(schema) });
  return {
    output: { ...Output.text(), responseFormat },
    providerOptions: { openaiCompatible: { strictJsonSchema: strict } },
  };
}
