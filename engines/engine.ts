/** What an engine is: the one interface that embedded models and upstream providers share. */
import type { ErrorCode } from '../schemas/errors.ts';
import type { Task, Tasks } from '../schemas/tasks.ts';
import type { Written } from '../schemas/writing.ts';

/** A call of a plan with every reference resolved, addressed to one model. */
export type EngineCall = {
  [T in Task]: {
    /** The catalogue's model name: `selena`. */
    model: string;
    /** Stable over retries (artwork id + call id), for providers that take one. */
    idempotencyKey: string;
    task: T;
    params: Tasks[T];
  };
}[Task];

export interface EngineContext {
  /** Aborts when the artwork is canceled, its time is over, or the worker stops; an engine gives up promptly. */
  signal: AbortSignal;
  /** For calls of artworks. An engine that needs no network needs it not. */
  remote?: Remote;
}

/** What a call that others are to answer can rely on. */
export interface Remote {
  /**
   * Waits until the provider may be asked: to be called right before a submission, and not for a job that is kept.
   * @throws EngineError `provider_unavailable` while it may not
   */
  enter(): Promise<void>;
  /** The job that an earlier try of this call has left with the engine's provider. */
  readonly job: RemoteJob | null;
  /** Keeps a job's id before the wait for it, so that whatever dies now, the next try goes on with it. */
  keep(id: string): Promise<RemoteJob>;
  /** Forgets a job that is no more. */
  drop(): Promise<void>;
  /** Milliseconds that the call may take. */
  readonly timeout: number;
  /** Fetches what a provider's answer names, guarded as all addresses that are not ours. */
  download(url: string, limit: number, signal: AbortSignal): Promise<{ bytes: Uint8Array } | { error: string }>;
  /** Epoch milliseconds. */
  now(): number;
}

export interface RemoteJob {
  /** As its provider names it. */
  id: string;
  /** Epoch milliseconds. */
  submittedAt: number;
  /** How many jobs this call has had, this one included. */
  submissions: number;
}

export interface EngineImage {
  /** The encoded file. */
  bytes: Uint8Array;
  contentType: 'image/png' | 'image/jpeg' | 'image/webp';
  /** Pixels. */
  width: number;
  height: number;
  seed: number | null;
}

export interface EngineResult {
  /** Honest about what made it, shown to clients as `images[].model`: `local/sketch`. */
  model: string;
  images?: EngineImage[];
  text?: string;
  /** Answer to `write`. */
  written?: Written;
  /** Answer to `judge-image`: how likely it is that the image is not safe for work, 0–1. */
  nsfw?: number;
}

export interface Engine {
  /** `local`, `openai`: one per upstream protocol. */
  readonly name: string;
  readonly tasks: readonly Task[];
  /** @throws EngineError when the call cannot be answered; anything else counts as a bug of ours. */
  run(call: EngineCall, context: EngineContext): Promise<EngineResult>;
  /** Ends a job that nobody waits for any more. @param model the catalogue's name */
  cancel?(model: string, job: string): Promise<void>;
  /** Asks a provider the cheapest thing that shows that address and key are right. @throws EngineError */
  ping?(signal: AbortSignal): Promise<void>;
  /** Releases threads and sockets. */
  close(): Promise<void>;
}

interface ErrorOptions {
  cause?: unknown;
  publicMessage?: string;
  retryAfter?: number;
  isFinal?: boolean;
  isPostponed?: boolean;
  holdsJob?: boolean;
}

/** A failure that an engine has classified. The message is for operators; clients read the table in `schemas/errors.ts`. */
export class EngineError extends Error {
  override readonly name = 'EngineError';
  readonly code: ErrorCode;
  /** What a client may read instead of the table's message. Only words of our own. */
  readonly publicMessage: string | undefined;
  /** Milliseconds that the provider asks to be left alone for. */
  readonly retryAfter: number | undefined;
  /** Whether another try is not to be made although its code allows one. */
  readonly isFinal: boolean;
  /** Whether another try is to be made, but not by this activity. */
  readonly isPostponed: boolean;
  /** Whether the provider has a job of the call: to ask another would buy it again. */
  readonly holdsJob: boolean;

  constructor(code: ErrorCode, message: string, options: ErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.code = code;
    this.publicMessage = options.publicMessage;
    this.retryAfter = options.retryAfter;
    this.isFinal = options.isFinal ?? false;
    this.isPostponed = options.isPostponed ?? false;
    this.holdsJob = options.holdsJob ?? false;
  }

  /** The same failure with more known of it. */
  with(changes: Pick<ErrorOptions, 'isFinal' | 'isPostponed' | 'holdsJob'>): EngineError {
    const { code, message, cause, publicMessage, retryAfter, isFinal, isPostponed, holdsJob } = this;
    const words = {
      ...(publicMessage !== undefined && { publicMessage }),
      ...(retryAfter !== undefined && { retryAfter }),
    };
    return new EngineError(code, message, { cause, ...words, isFinal, isPostponed, holdsJob, ...changes });
  }
}
