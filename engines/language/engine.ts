/** The engine that writes: one language model of the AI SDK, whoever runs it. */
import type { LanguageModel } from 'ai';
import { EngineError, type Engine } from '../contract/index.ts';
import type { Connection } from '../upstream/connection.ts';
import { explainSdkError } from '../upstream/sdk-failures.ts';
import { picturesOf } from './images.ts';
import { write } from './write.ts';

/** Bytes: a longer answer is none. */
export const largestResponse = 8 * 1024 * 1024;

export interface WritingModel {
  /** Of the engine: the first half of `model` in its answers. */
  name: string;
  /** As its server calls it: the second half. */
  id: string;
  model: LanguageModel;
  connection: Connection;
  /** Milliseconds for one call; null leaves it to the caller's signal. */
  timeout?: number | null | undefined;
  /** Whether the server holds a model to a JSON Schema (`response_format`). If not, the schema stands in the messages. */
  supportsJsonSchema?: boolean | undefined;
  /** Whether the model can see: it gets the images that a style is described from. */
  vision?: boolean | undefined;
}

export function writingEngine({ name, id, model, connection, ...options }: WritingModel): Engine {
  const { timeout = 60_000, supportsJsonSchema = false, vision = false } = options;
  return {
    name,
    tasks: ['write'],
    async run({ task, params }, { signal }) {
      signal.throwIfAborted();
      if (task !== 'write') throw new EngineError('internal_error', `A language engine cannot ${task}`);
      try {
        const pictures = vision ? await picturesOf(params) : [];
        const written = await write(params, { model, signal, timeout, supportsJsonSchema, pictures });
        return { model: `${name}/${id}`, written };
      } catch (error) {
        // Whoever stopped it knows why.
        signal.throwIfAborted();
        throw explainSdkError('The language model', error);
      }
    },
    close: () => connection.close(),
  };
}
