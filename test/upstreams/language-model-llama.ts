/** A language model in this process, with llama.cpp on the CPU. It completes one chat at a time. */
import { basename } from 'node:path';
import {
  type ChatHistoryItem,
  type GbnfJsonObjectSchema,
  getLlama,
  type Llama,
  LlamaChat,
  type LlamaContextSequence,
  type LlamaGrammar,
  LlamaLogLevel,
  type LlamaModel,
} from 'node-llama-cpp';
import type { Completion, Chat } from './openai-wire.ts';

export interface SeededChat extends Chat {
  seed?: number;
}

export interface Served {
  /** Name of the model in requests. */
  name: string;
  /** @throws ContextExceeded */
  complete(chat: SeededChat, signal: AbortSignal): Promise<Completion>;
}

export class ContextExceeded extends Error {
  override readonly name = 'ContextExceeded';
}

/** Maximum tokens of a conversation together with its output. */
const contextSize = 4096;
/** Maximum tokens of an output when the request sets no limit. */
const usualOutput = 512;

/** Without the penalty, a model this small repeats itself endlessly. Its model card recommends the other values. */
const repeatPenalty = { penalty: 1.15, lastTokens: 256, penalizeNewLine: false };
const sampling = { repeatPenalty, topP: 0.9, temperature: 0.2 };

export async function loadModel(weights: string): Promise<Served> {
  const llama = await getLlama({
    gpu: false,
    build: 'never',
    skipDownload: true,
    progressLogs: false,
    logLevel: LlamaLogLevel.error,
    // Several threads wait for the slowest of them, which takes ten times as long on a busy machine.
    maxThreads: 1,
  });
  const model = await llama.loadModel({ modelPath: weights, gpuLayers: 0 });
  const context = await model.createContext({ contextSize, sequences: 1, threads: 1 });
  const sequence = context.getSequence();
  let turn: Promise<unknown> = Promise.resolve();
  return {
    name: basename(weights, '.gguf').toLowerCase(),
    complete(chat, signal) {
      const completion = turn.then(() => complete({ llama, model, sequence }, chat, signal));
      turn = completion.catch(() => undefined);
      return completion;
    },
  };
}

interface Loaded {
  llama: Llama;
  model: LlamaModel;
  sequence: LlamaContextSequence;
}

async function complete(
  { llama, model, sequence }: Loaded,
  chat: SeededChat,
  signal: AbortSignal,
): Promise<Completion> {
  signal.throwIfAborted();
  // Keeping the state of an earlier chat saves time but changes rounding: the same request could get another output.
  await sequence.clearHistory();
  const llamaChat = new LlamaChat({ contextSequence: sequence });
  try {
    const history = chat.messages.map(toHistory);
    const { contextText } = llamaChat.chatWrapper.generateContextState({ chatHistory: history });
    const room = contextSize - contextText.tokenize(model.tokenizer).length - 1;
    if (room < 1) throw new ContextExceeded();
    const grammar = await grammarFor(chat, llama);
    const before = sequence.tokenMeter.getState();
    const { response, metadata } = await llamaChat.generateResponse(history, {
      ...sampling,
      ...(grammar && { grammar }),
      ...(chat.temperature !== undefined && { temperature: chat.temperature }),
      maxTokens: Math.min(chat.max_completion_tokens ?? chat.max_tokens ?? usualOutput, room),
      seed: chat.seed ?? 0,
      signal,
    });
    const used = sequence.tokenMeter.diff(before);
    return {
      content: response,
      finishReason: metadata.stopReason === 'maxTokens' ? 'length' : 'stop',
      usage: { prompt: used.usedInputTokens, completion: used.usedOutputTokens },
    };
  } finally {
    llamaChat.dispose({ disposeSequence: false });
  }
}

function toHistory({ role, content: said }: Chat['messages'][number]): ChatHistoryItem {
  // The model does not accept images.
  const content = typeof said === 'string' ? said : said.map(({ text = '' }) => text).join('\n');
  if (role === 'assistant') return { type: 'model', response: [content] };
  return { type: role === 'user' ? 'user' : 'system', text: content };
}

async function grammarFor({ response_format }: Chat, llama: Llama): Promise<LlamaGrammar | null> {
  if (response_format?.type === 'json_object') return llama.getGrammarFor('json');
  const schema = response_format?.json_schema?.schema;
  return schema ? llama.createGrammarForJsonSchema(withOneOf(schema) as GbnfJsonObjectSchema) : null;
}

/** Replaces `anyOf` by `oneOf`, because llama.cpp's grammar generator supports only `oneOf` and treats it alike. */
function withOneOf(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withOneOf);
  if (typeof node !== 'object' || node === null) return node;
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => [key === 'anyOf' ? 'oneOf' : key, withOneOf(value)]),
  );
}
