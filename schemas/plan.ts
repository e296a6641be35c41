/** A plan is data: stages run in order, the calls of a stage in parallel. The workflow only interprets it. */

import type { OutputFormat, Role } from './image.ts';

/** What a model is asked to do. An engine states which of these it can. */
export type Task = 'text-to-image' | 'enhance-prompt';

/** Takes the place of a parameter's value: the text that an earlier call of the same plan produced. */
export interface TextOf {
  $textOf: string;
}

/** Parameters of a call as kept with the artwork; values may refer to earlier calls. */
export type Params<P> = { [K in keyof P]: P[K] | TextOf };

export interface Call<P = Record<string, unknown>> {
  /** Unique within the plan: `enhance`, `image-1`. */
  id: string;
  task: Task;
  /** A name of the catalogue, which binds it to an engine: `selena`, `textcraft`. */
  model: string;
  /** One line for the operator's eyes in the Temporal UI. Holds nothing personal: no prompt, no URL. */
  summary: string;
  params: Params<P>;
  /** What its images are on the artwork. Default `image`. */
  role?: Role;
}

export interface Stage {
  /** `enhance`, `generate`: what an operator and the timeline read. */
  name: string;
  /** `any`: the artwork goes on while at least one call succeeds, and lists the others as failures. Default `all`. */
  need?: 'all' | 'any';
  calls: Call[];
}

export interface Plan {
  /** The prompt as the image model gets it, shown on the artwork; null where the operation has none. */
  prompt: string | TextOf | null;
  stages: Stage[];
}

/** Parameters of `text-to-image`. Sizes in pixels. */
export interface TextToImage {
  prompt: string;
  negativePrompt: string | null;
  /** A style's id from the family's listing, or null for the family's own look. */
  style: string | null;
  width: number;
  height: number;
  /** 0–4294967295. The same parameters and seed give the same bytes on an engine that can. */
  seed: number;
  transparentBackground: boolean;
  /** The left and right, top and bottom edges of the image meet. */
  seamless: boolean;
  nsfw: boolean;
  outputFormat: OutputFormat;
}

/** Parameters of `enhance-prompt`: rewrite a client's words into a fuller prompt. */
export interface EnhancePrompt {
  prompt: string;
  style: string | null;
  nsfw: boolean;
}
