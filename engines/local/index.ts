/** The embedded engines: they run on the worker's own CPU and need no network. */
import { EngineError, type EditImage, type Engine, type Writing, type Written } from '../contract/index.ts';
import { editList } from './edit/edits.ts';
import { jobs } from './jobs.ts';
import { createPool } from './pool.ts';

const tasks = (Object.keys(jobs) as (keyof typeof jobs)[]).filter((task) => task !== 'write');

export interface LocalEngineOptions {
  /** Number of worker threads; by default one for each core. */
  threads?: number;
  /**
   * Has a language model read an instruction as a list of edits that matches the schema. Null or an invalid list
   * leaves the instruction to the embedded rules; an error fails the call.
   */
  readEdits?: (instruction: Instruction, signal: AbortSignal) => Promise<unknown>;
}

export interface Instruction {
  instruction: string;
  /** Whether a mask marks a part of the image. */
  mask: boolean;
  /** JSON Schema of the list. */
  schema: object;
  nsfw: boolean;
  /** Key that is the same for all attempts of a call. */
  idempotencyKey: string;
}

export function createLocalEngine({ threads, readEdits }: LocalEngineOptions = {}): Engine {
  const pool = createPool(threads);
  return {
    name: 'local',
    tasks,
    async run({ task, model, params, idempotencyKey }, { signal }) {
      signal.throwIfAborted();
      if (task === 'write' || task === 'prepare-image') {
        throw new EngineError('internal_error', `The local engine does not support the task ${task}.`);
      }
      const isRead = task === 'edit-image' && readEdits !== undefined;
      const listed = isRead ? await readEdits(instructionOf(params, idempotencyKey), signal) : null;
      const withEdits = { ...params, listed };
      const result = await pool.run({ task, model, params: isRead ? withEdits : params }, signal);
      if (typeof result === 'number') return { model: 'local/nsfw', nsfw: result };
      if (typeof result === 'string') return { model: 'local/palette', text: result };
      const format = 'outputFormat' in params ? params.outputFormat : 'png';
      if (!('bytes' in result)) throw new Error(`The task ${task} returned a text.`);
      const { model: made, ...image } = result;
      return { model: made, images: [{ ...image, contentType: `image/${format}` }] };
    },
    close: () => pool.close(),
  };
}

const instructionOf = ({ instruction, mask, nsfw }: EditImage, idempotencyKey: string): Instruction => ({
  instruction,
  mask: mask !== null,
  schema: editList,
  nsfw,
  idempotencyKey,
});

/** Creates the engine that writes texts by rules. Its one thread never idles out, because rules need little memory. */
export function createRulesEngine(): Engine {
  const pool = createPool(1, Infinity);
  return {
    name: 'rules',
    tasks: ['write'],
    async run({ task, params }, { signal }) {
      signal.throwIfAborted();
      if (task !== 'write') throw new EngineError('internal_error', `Rules do not support the task ${task}.`);
      const written = await pool.run({ task, model: 'rules', params: inWords(params) }, signal);
      return { model: 'local/rules', written: written as Written };
    },
    close: () => pool.close(),
  };
}

/** Drops images, which the rules do not use and which would be copied to their thread. */
function inWords(writing: Writing): Writing {
  if (writing.purpose !== 'describe-style') return writing;
  const { measured, prompt } = writing.facts;
  return { ...writing, facts: { measured, prompt } };
}
