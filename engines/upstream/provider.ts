/** The interfaces that a protocol implements: a client of one provider that uses the provider's own API. */
import type { Lookup } from '../../runtime/guarded-connector.ts';
import type { Engine, EngineError, Task } from '../contract/index.ts';
import type { TemplateField } from './fields.ts';
import type { ImageTask } from './image-tasks.ts';
import type { Reference } from './mapping.ts';

/** How to reach a provider. */
export interface ProviderOptions {
  /** The engine's name in the operator's file: `fal`. */
  name: string;
  /** Replaces the protocol's own address, for example with a proxy, a self-hosted server or a fake in a test. */
  baseUrl: string | undefined;
  /** Undefined where the server needs none. */
  apiKey: string | undefined;
  /** Resolves the host names in addresses that the provider names. Default: DNS. */
  lookup?: Lookup;
}

/** A model as `inspect` checks it. */
export interface InspectedModel {
  /** As `ProviderRequest.model`. */
  model: string;
  /** The fields of the binding's `input` that are the same in every call. */
  constants: Readonly<Record<string, unknown>>;
}

export interface ProviderRequest {
  /** The provider's name for the model: `gpt-image-1`, `fal-ai/flux/dev`, `owner/model`, the path of a workflow. */
  model: string;
  task: Task;
  /**
   * The provider's own fields, as the mapping filled them: JSON in which an image is an `InputImage`. The protocol
   * replaces each image by what the provider accepts: an upload, a link or a file of a form.
   */
  input: Readonly<Record<string, unknown>>;
  /** The same for all attempts of the call. */
  idempotencyKey: string;
}

/** A request that becomes a job. */
export interface JobRequest extends ProviderRequest {
  /**
   * Milliseconds that the call may take. A provider that can end a job by itself does so a minute later, so that a job
   * whose id was lost costs no more.
   */
  timeout: number;
  /**
   * Confirms that no other attempt has taken over the call. A protocol calls it between its uploads and the request that
   * costs money.
   * @throws EngineError when another attempt has taken over
   */
  confirm(): Promise<void>;
}

/**
 * A provider's output: JSON in its own fields, in which a file is a URL (string) or its bytes (Uint8Array). The
 * binding's `output` names the place of the images.
 */
export type ProviderOutput = unknown;

/** Methods of both kinds of providers. They throw errors of the provider's client; `explain` classifies these. */
interface Client {
  /**
   * Converts an error that this client threw to a failure of the table in `failures.ts`, without the provider's words,
   * keys and addresses.
   */
  explain(error: unknown): EngineError;
  /** Sends the cheapest request that proves that address and key are correct. */
  ping(signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/** A provider whose response to a request contains the result. */
export interface DirectProvider extends Client {
  kind: 'direct';
  /** Sends one request and never retries. */
  run(request: ProviderRequest, signal: AbortSignal): Promise<ProviderOutput>;
}

export type JobState = { state: 'waiting' } | { state: 'done'; output: ProviderOutput };

/** A provider that accepts jobs and is polled for their results. No method retries. */
export interface QueueProvider extends Client {
  kind: 'queue';
  /** Whether a second submission with the same `idempotencyKey` returns the job of the first. */
  isIdempotent?: boolean;
  /** Uploads files, submits one job, and returns its id as soon as the provider has accepted it. */
  submit(request: JobRequest, signal: AbortSignal): Promise<string>;
  /**
   * Returns the state of a job. Throws for a job that has failed, was canceled or is unknown to the provider; `explain`
   * then returns `failed`, `canceled`, `lost`, or `refused` when moderation rejected it.
   */
  poll(model: string, job: string, signal: AbortSignal): Promise<JobState>;
  /** Returns what the provider lacks for the models, in sentences without a full stop. Costs nothing. */
  inspect?(models: readonly InspectedModel[], signal: AbortSignal): Promise<string[]>;
  /** Cancels a job that is no longer needed. Succeeds for a job that has already ended or is unknown. */
  cancel(model: string | null, job: string, signal: AbortSignal): Promise<void>;
  /**
   * Deletes the copies of a job's input and output that the provider keeps. Succeeds when there are none. Absent where the
   * provider's API has no such request.
   */
  deleteCopies?(job: string, signal: AbortSignal): Promise<void>;
}

export type Provider = DirectProvider | QueueProvider;

type TemplateValue<Field extends string> =
  string | number | boolean | Reference<Field> | readonly TemplateValue<Field>[] | TemplateObject<Field>;

interface TemplateObject<Field extends string> {
  readonly [name: string]: TemplateValue<Field>;
  readonly from?: never;
}

/** Templates by task. They compile only when each `from` names a field that the task has. */
export type DefaultMapping = {
  readonly [T in ImageTask]?: Readonly<Record<string, TemplateValue<TemplateField<T>>>>;
};

export interface Protocol {
  /** Name in the operator's file: `replicate`. */
  name: string;
  /** Tasks that the protocol supports. */
  tasks: readonly ImageTask[];
  /** Whether its providers are direct: if the worker stops while it waits for the response, the result is lost. */
  isDirect?: boolean;
  /** Whether the protocol's own address requires a key. */
  needsKey: boolean;
  /** Templates for bindings without `input`. Only for protocols whose models share their fields. */
  defaultMapping?: DefaultMapping;
  /** JSON pointer with `*` to the images in an output, for bindings without `output`. */
  output: string;
  /** Present for a protocol whose models are files of the operator. */
  localModel?: {
    /** Returns the path of a model. @param folder folder of the operator's file */
    resolve(model: string, folder: string): string;
    /**
     * Returns what is wrong with a model's file, in sentences.
     * @param fields fields in the binding's `input`
     * @param optional those of them that a call may leave open
     */
    check(path: string, fields: readonly string[], optional: readonly string[]): Promise<string[]>;
  };
  connect(options: ProviderOptions): Provider;
  /** Present for a protocol that also has language models, which perform the task `write`. */
  languageModel?(options: ProviderOptions, model: LanguageModelOptions): Promise<Engine>;
}

export interface LanguageModelOptions {
  /** The provider's name for the model. */
  model: string;
  /** Whether the model accepts images. */
  vision?: boolean | undefined;
  /** Whether the server enforces a JSON Schema on the model's output. */
  jsonSchema?: boolean | undefined;
}
