/** A plan is data: stages run in order, the calls of a stage in parallel. The workflow only interprets it. */

import type { Role } from './image.ts';
import type { EncodedStyle } from './style-dna.ts';
import type { Tasks } from './tasks.ts';

/** Takes the place of a parameter's value: the text that an earlier call of the same plan produced. */
export interface TextOf {
  $textOf: string;
}

/** Takes the place of an image: the first one that an earlier call of the same plan produced. */
export interface ImageOf {
  $imageOf: string;
}

/** Takes the place of a list of images: the first one of each of several earlier calls. */
export interface ImagesOf {
  $imagesOf: string[];
}

/** Takes the place of an image's bytes: where they are. See `schemas/image-input.ts` for the spellings of a source. */
export interface BytesOf {
  $bytesOf: string;
}

/** Parameters of a call as kept with the artwork; values may refer to inputs and to earlier calls. */
export type Params<P> = { [K in keyof P]: P[K] | TextOf | ImageOf | ImagesOf | BytesOf };

export interface Call<P = Record<string, unknown>> {
  /** Unique within the plan: `enhance`, `image-1`. */
  id: string;
  task: keyof Tasks;
  /** A name of the catalogue, which binds it to an engine: `selena`, `textcraft`. */
  model: string;
  /** One line for the operator's eyes in the Temporal UI. Holds nothing personal: no prompt, no URL. */
  summary: string;
  params: Params<P>;
  /** What its images are on the artwork; `input` ones are not shown. Default `image`. */
  role?: Role | 'input';
}

/** The name under which images that come in are prepared. */
export const inputModel = 'input';

export interface Stage {
  /** `enhance`, `generate`: what an operator and the timeline read. */
  name: string;
  /** `any`: the artwork goes on while at least one call succeeds, and lists the others as failures. Default `all`. */
  need?: 'all' | 'any';
  calls: Call[];
}

/** Where in a plan the parts of a style come from that is encoded when the artwork succeeds. */
export interface Encoding {
  name: string;
  source: EncodedStyle['source'];
  /** The call that measures, and the one that finds words. */
  measure: string;
  words: string;
}

export interface Plan {
  /** The prompt as the image model gets it, shown on the artwork; null where the operation has none. */
  prompt: string | TextOf | null;
  stages: Stage[];
  encodes?: Encoding;
  /** Of a test key: embedded engines make it, whatever the operator has bound. */
  test?: boolean;
}

/**
 * The first stage of an operation on images: fetches and prepares each, in parallel. Later calls refer to one as
 * `{ $imageOf: field }`, to one of a list (`images/0`) by its call's id (`images-0`).
 * @param sources by field of the request; see `schemas/image-source.ts` for their spellings
 */
export function takeIn(sources: Record<string, string | undefined>, nsfw: boolean): Stage {
  const calls = Object.entries(sources).flatMap(([field, source]): Call[] => {
    if (source === undefined) return [];
    const params = { field, file: { $bytesOf: source }, nsfw };
    // Files are named after calls.
    const id = field.replaceAll('/', '-');
    return [{ id, task: 'prepare-image', model: inputModel, summary: `take in ${field}`, role: 'input', params }];
  });
  return { name: 'inputs', calls };
}

/** The digests of images that came with the request, by the references of a plan. */
export function storedInputs(stages: readonly Stage[]): string[] {
  const sources = stages.flatMap(({ calls }) => calls).flatMap(({ params }) => Object.values(params));
  return sources.flatMap((value) => {
    const source = typeof value === 'object' && value !== null && '$bytesOf' in value ? String(value.$bytesOf) : '';
    return source.startsWith('sha256:') ? [source.slice('sha256:'.length)] : [];
  });
}
