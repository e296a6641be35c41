/** The interface that every engine implements: the embedded engines and the adapters of providers. */
import type { SubmittedModel } from '../../schemas/submitted-model.ts';
import type { Task, Tasks } from '../../schemas/tasks.ts';
import type { Written } from '../../schemas/writing.ts';
import type { Remote } from './remote.ts';

/** A call of a plan with all its references resolved, addressed to one model. */
export type EngineCall = {
  [T in Task]: {
    /** Model name in the catalogue, such as `selena`. */
    model: string;
    /** The same for all attempts (artwork id and call id), for providers that accept one. */
    idempotencyKey: string;
    task: T;
    params: Tasks[T];
  };
}[Task];

export interface EngineContext {
  /** Aborts when the artwork is canceled, the call times out or the worker stops. The engine then stops promptly. */
  signal: AbortSignal;
  /** Present for calls of artworks. Engines that call no provider ignore it. */
  remote?: Remote;
}

export interface EngineImage {
  /** The encoded file. */
  bytes: Uint8Array;
  contentType: 'image/png' | 'image/jpeg' | 'image/webp';
  /** Pixels. */
  width: number;
  height: number;
  /** The seed that was used, or null when the engine used none. */
  seed: number | null;
}

export interface EngineResult {
  /** Names what made the result, such as `local/sketch`. Clients see it as `images[].model`. */
  model: string;
  images?: EngineImage[];
  text?: string;
  /** Result of `write`. */
  written?: Written;
  /** Result of `judge-image`: the probability that the image is not safe for work, from 0 to 1. */
  nsfw?: number;
}

export interface Engine {
  /** Name of the engine in the catalogue, such as `local` or `openai`. */
  readonly name: string;
  readonly tasks: readonly Task[];
  /** @throws EngineError when the call fails; any other error counts as a bug in our code */
  run(call: EngineCall, context: EngineContext): Promise<EngineResult>;
  /** Whether the provider can delete its copies of the input and output of a job that has ended. */
  readonly deletesCopies?: boolean;
  /**
   * Cancels a provider's job that is no longer needed, and deletes the copies that its provider can delete. Succeeds for a
   * job that the provider does not know. @throws EngineError
   */
  discard?(job: ObsoleteJob): Promise<void>;
  /** Sends the cheapest request that proves that address and key are correct. @throws EngineError */
  ping?(signal: AbortSignal): Promise<void>;
  /** Returns what the provider lacks for the models that are bound to it, such as files. @throws EngineError */
  inspect?(signal: AbortSignal): Promise<string[]>;
  /** Releases threads and sockets. */
  close(): Promise<void>;
}

/** A provider's job that is no longer needed. */
export interface ObsoleteJob {
  /** The provider's id. */
  id: string;
  /** Model name in the catalogue. */
  model: string;
  /** Null for jobs of earlier releases. */
  submittedTo: SubmittedModel | null;
  /** Whether the job has ended. Then only its copies must be deleted. */
  isEnded: boolean;
}
