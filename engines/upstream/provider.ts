/** What a wire protocol is to us: a client of one provider, spoken to in the words of its own API. */
import type { Task } from '../../schemas/tasks.ts';
import type { Engine, EngineError } from '../contract/index.ts';

/** How a provider is reached. */
export interface ProviderOptions {
  /** The engine's name in the operator's file: `fal`. */
  name: string;
  /** In place of the protocol's own address: a proxy, a server at home, a fake in a test. */
  baseUrl: string | undefined;
  /** Undefined where none is needed. */
  apiKey: string | undefined;
}

export interface ProviderRequest {
  /** As the provider calls it: `gpt-image-1`, `fal-ai/flux/dev`, `owner/model`, a workflow template's name. */
  model: string;
  task: Task;
  /**
   * In the provider's own fields, as the operator's mapping made it: JSON, in which an image stands as an `InputImage`
   * (`schemas/tasks.ts`). The protocol puts in its place what its provider takes: an upload, a link, a form's file.
   */
  input: Readonly<Record<string, unknown>>;
  /** Stable over retries of the call. */
  idempotencyKey: string;
}

/**
 * What a provider answered: JSON in its own fields, in which a file is a URL (string) or its bytes (Uint8Array). The
 * operator's mapping says where the images are.
 */
export type ProviderOutput = unknown;

/** What both kinds of protocols have. A failure of the provider is thrown as it is, and `explain` says what it means. */
interface Client {
  /**
   * What a failure that this client has thrown comes to, by the table in `failures.ts`: the same for every protocol.
   * Without the provider's words, keys and addresses.
   */
  explain(error: unknown): EngineError;
  /** Sends the cheapest request that shows that address and key are right. @throws as all others */
  ping(signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/** Answers in one call. */
export interface DirectProvider extends Client {
  kind: 'direct';
  /** Sends once: it never tries again by itself. */
  run(request: ProviderRequest, signal: AbortSignal): Promise<ProviderOutput>;
}

/** What a job came to. */
export type JobState = { state: 'waiting' } | { state: 'done'; output: ProviderOutput };

/** Works by jobs: submit, keep the id, look until it is done. None of its methods tries again by itself. */
export interface QueueProvider extends Client {
  kind: 'queue';
  /** Uploads what must be uploaded, submits once, and returns the job's id as soon as the provider has named it. */
  submit(request: ProviderRequest, signal: AbortSignal): Promise<string>;
  /**
   * @throws for a job that failed, was canceled, or is not known to the provider
   * (`explain` then gives the failures `failed`, `canceled`, `lost`, or `refused` where its reason is moderation)
   */
  look(model: string, job: string, signal: AbortSignal): Promise<JobState>;
  /** Ends a job that nobody wants any more. One that has ended already is no failure. */
  cancel(model: string, job: string, signal: AbortSignal): Promise<void>;
}

export type Provider = DirectProvider | QueueProvider;

export interface Protocol {
  /** What the operator's file calls it: `replicate`. */
  name: string;
  /** What it can be asked to do at all. */
  tasks: readonly Task[];
  /** Whether a call is one request: what it answers is lost with the process that waits for it. */
  answersAtOnce?: boolean;
  /** Whether a key is needed at the protocol's own address. */
  needsKey: boolean;
  /**
   * What a call's fields become where the operator's file says nothing; see `mapping.ts`. Only for protocols whose
   * models share their fields.
   */
  defaults?: Readonly<Partial<Record<Task, object>>>;
  /** Where the images are in an output, where the operator's file says nothing: a JSON pointer with `*`. */
  output: string;
  /**
   * For models that are files of the operator's.
   * @param folder of the file that names them
   * @param fields that the binding's `input` gives
   * @param open those of them that a call may leave open
   */
  localModel?: {
    resolve(model: string, folder: string): string;
    /** @returns what is wrong, in sentences */
    check(path: string, fields: readonly string[], open: readonly string[]): Promise<string[]>;
  };
  connect(options: ProviderOptions): Provider;
  /** Present: it has language models too, which answer the task `write`. */
  languageModel?(options: ProviderOptions, model: LanguageModelOptions): Promise<Engine>;
}

export interface LanguageModelOptions {
  /** As the provider calls it. */
  model: string;
  /** Whether it can see. */
  vision?: boolean | undefined;
  /** Whether its server holds it to a JSON Schema. */
  jsonSchema?: boolean | undefined;
}
