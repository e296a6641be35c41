/** The engine for the task `write`: one language model of the AI SDK. */
import type { LanguageModel } from 'ai';
import { EngineError, type Engine } from '../contract/index.ts';
import type { Connection } from '../upstream/connection.ts';
import { explainSdkError } from '../upstream/sdk-failures.ts';
import { picturesOf } from './images.ts';
import { write } from './write.ts';

/** Maximum bytes of a response. */
export const largestResponse = 8 * 1024 * 1024;

export interface WritingModel {
  /** The engine's name: the first half of `model` in results. */
  name: string;
  /** The server's name for the model: the second half. */
  id: string;
  model: LanguageModel;
  connection: Connection;
  /** Milliseconds for one call; null for no limit but the caller's signal. */
  timeout?: number | null | undefined;
  /** Whether the server enforces a JSON Schema (`response_format`). If not, the messages contain the schema. */
  supportsJsonSchema?: boolean | undefined;
  /** Whether the model accepts images. It then receives the images whose style it describes. */
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
        // An aborted call fails with the reason of the abort.
        signal.throwIfAborted();
        throw explainSdkError('The language model', error);
      }
    },
    close: () => connection.close(),
  };
}
