/** The wire format of OpenAI's chat completions, as its API reference shows it: what it accepts, rejects and returns. */
import type { IncomingMessage } from 'node:http';

/** The part of a request's body that the server reads. */
export interface Chat {
  model: string;
  messages: { role: string; content: string | Part[] }[];
  max_tokens?: number;
  max_completion_tokens?: number;
  temperature?: number;
  response_format?: { type: string; json_schema?: { name: string; strict?: boolean; schema: object } };
  stream?: boolean;
}

export interface Completion {
  content?: string | null;
  /** The text of a refusal; `content` is then null. */
  refusal?: string | null;
  finishReason?: string | null;
  usage?: { prompt: number; completion: number } | null;
  choices?: 'none';
}

export interface Refusal {
  status: number;
  error: { message: string; type?: string | null; param?: string | null; code?: string | number | null } & Record<
    string,
    unknown
  >;
  headers?: Record<string, string>;
}

type Problem = { kind: 'refusal' } & Refusal;

interface Rules {
  apiKey?: string;
  model?: string;
  knowsJsonSchema?: boolean;
}

/** Checks a request as OpenAI does before any model sees it. Returns the parsed body, and the problem if any. */
export function refuse(
  { method, url, headers }: IncomingMessage,
  text: string,
  { apiKey, model, knowsJsonSchema = true }: Rules,
): { body: Chat | null; problem?: Problem } {
  if (method !== 'POST' || url !== '/v1/chat/completions') {
    return { body: null, problem: invalid(404, `Invalid URL (${method} ${url})`) };
  }
  if (apiKey && headers.authorization !== `Bearer ${apiKey}`) {
    const given = headers.authorization?.slice(7) ?? '';
    return { body: null, problem: invalid(401, `Incorrect API key provided: ${given}.`, 'invalid_api_key') };
  }
  let body: Chat;
  try {
    body = JSON.parse(text) as Chat;
  } catch {
    return { body: null, problem: invalid(400, 'We could not parse the JSON body of your request.') };
  }
  if (model && body.model !== model) {
    return { body, problem: invalid(404, `The model \`${body.model}\` does not exist.`, 'model_not_found') };
  }
  const roles = ['system', 'developer', 'user', 'assistant', 'tool'];
  if (!Array.isArray(body.messages) || body.messages.length === 0) {
    return { body, problem: invalid(400, "Missing required parameter: 'messages'.", 'missing_required_parameter') };
  }
  if (!body.messages.every(({ role, content }) => roles.includes(role) && isContent(content))) {
    return { body, problem: invalid(400, "Invalid value: 'messages'.", 'invalid_value') };
  }
  if (body.response_format?.type === 'json_schema' && !knowsJsonSchema) {
    const types = 'response_format type must be one of "text" or "json_object", but got: json_schema';
    return { body, problem: invalid(400, types) };
  }
  return { body };
}

const invalid = (status: number, message: string, code: string | null = null): Problem => ({
  kind: 'refusal',
  status,
  error: { message, type: 'invalid_request_error', param: null, code },
});

/** A part of a message: text, or an image as a data URI or URL. */
export interface Part {
  type: string;
  text?: string;
  image_url?: { url: string };
}

function isContent(content: string | Part[]): boolean {
  if (typeof content === 'string') return true;
  return content.every(({ type, text, image_url: image }) =>
    type === 'text' ? typeof text === 'string' : type === 'image_url' && /^(https?|data):/.test(image?.url ?? ''),
  );
}

/** Returns the object `chat.completion`. */
export function completionOf({ content = null, refusal = null, ...rest }: Completion, body: Chat | null): object {
  const { finishReason = 'stop', usage = { prompt: 24, completion: 7 }, choices } = rest;
  const message = { role: 'assistant', content, refusal, annotations: [] };
  return {
    id: 'chatcmpl-B9MBs8CjcvOU2jLn4n570S5qMJKcT',
    object: 'chat.completion',
    created: 1741569952,
    model: `${body?.model ?? 'model'}-2026-08-06`,
    choices: choices === 'none' ? [] : [{ index: 0, message, logprobs: null, finish_reason: finishReason }],
    ...(usage && { usage: usageOf(usage) }),
    service_tier: 'default',
    system_fingerprint: null,
  };
}

const usageOf = ({ prompt, completion }: { prompt: number; completion: number }) => ({
  prompt_tokens: prompt,
  completion_tokens: completion,
  total_tokens: prompt + completion,
  prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
  completion_tokens_details: {
    reasoning_tokens: 0,
    audio_tokens: 0,
    accepted_prediction_tokens: 0,
    rejected_prediction_tokens: 0,
  },
});
