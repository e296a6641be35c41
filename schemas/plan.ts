/** A plan is data: its stages run in order, and the calls of a stage in parallel. The workflow only interprets the plan. */
import type { Role } from './image.ts';
import type { EncodedStyle } from './style-dna.ts';
import type { InputImage, Task, Tasks } from './tasks.ts';

/** Refers to the text that an earlier call of the same plan wrote. */
export interface TextOf {
  $textOf: string;
}

/** Refers to the first image of an earlier call of the same plan. */
export interface ImageOf {
  $imageOf: string;
}

/** Refers to the first image of each of several earlier calls. */
export interface ImagesOf {
  $imagesOf: string[];
}

/** Refers to the bytes of an image by its source; see `image-source.ts`. */
export interface BytesOf {
  $bytesOf: string;
}

/** Fields that may hold the text of an earlier call. */
type TextField = 'prompt' | 'negativePrompt' | 'instruction';

/** The type of a parameter in a plan: a reference replaces images and bytes, and may replace the text of a `TextField`. */
type Param<Field, Value> = Value extends InputImage
  ? ImageOf
  : Value extends readonly InputImage[]
    ? ImagesOf
    : Value extends Uint8Array
      ? BytesOf
      : Value extends string
        ? Value | (Field extends TextField ? TextOf : never)
        : Value;

/** The facts of the task `write`; `measured` may hold the text of an earlier call. */
type Facts<F> = {
  [Field in keyof F]: Field extends 'measured' ? F[Field] | TextOf : Param<never, F[Field]>;
};

/** The parameters of a task as they are stored with the artwork. */
export type Params<P> = {
  [Field in keyof P]: Field extends 'facts' ? Facts<P[Field]> : Param<Field, P[Field]>;
};

/** A task that a plan can contain. Only the service itself judges images. */
export type PlannableTask = Exclude<Task, 'judge-image'>;

/** A task and its parameters. */
export type PlannedTask<T extends PlannableTask = PlannableTask> = {
  [K in T]: { task: K; params: Params<Tasks[K]> };
}[T];

export type Call = PlannedTask & {
  /** Unique within the plan: `enhance`, `image-1`. */
  id: string;
  /** A model name of the catalogue, which binds it to an engine: `selena`, `textcraft`. */
  model: string;
  /** One line for the operator in the Temporal UI. Contains no personal data: no prompt, no URL. */
  summary: string;
  /** The role of the images of this call on the artwork. Clients do not see `input` images. Default `image`. */
  role?: Role | 'input';
};

/** The catalogue's name for the preparation of input images. */
export const inputModel = 'input';
/** The engine of that model, which every catalogue has. */
export const inputEngine = 'inputs';

export interface Stage {
  /** The name that the operator and clients see, such as `generate`. */
  name: string;
  /** `any`: the artwork continues if at least one call succeeds, and lists the others as failures. Default `all`. */
  need?: 'all' | 'any';
  calls: Call[];
}

/** The style that a succeeded artwork encodes, and the calls that provide its parts. */
export interface Encoding {
  name: string;
  source: EncodedStyle['source'];
  /** The id of the call that measures the style. */
  measure: string;
  /** The id of the call that describes the style in words. */
  words: string;
}

export interface Plan {
  /** The prompt for the image model, shown on the artwork; null if the operation has none. */
  prompt: string | TextOf | null;
  stages: Stage[];
  encodes?: Encoding;
  /** Whether a test key created the artwork: embedded engines then run all calls, whatever the operator has bound. */
  test?: boolean;
}

/** Returns a reference to an input image, or to the first image of an earlier call. */
export const imageOf = (call: string): ImageOf => ({ $imageOf: call });

/** In place of a request's `nsfw`, for images that do not appear in the result: those of masks and depth maps. */
export const unchecked = true;

/**
 * Returns the first stage of an operation on images, which fetches and prepares each image in parallel. Later calls
 * refer to an image as `{ $imageOf: field }`, and to an image of a list (`images/0`) by its call's id (`images-0`).
 * @param sources by field of the request; see `image-source.ts` for their spellings
 * @param nsfw whether the images are not checked; masks never are
 */
export function prepareInputs(sources: Record<string, string | undefined>, nsfw: boolean): Stage {
  const calls = Object.entries(sources).flatMap(([field, source]): Call[] => {
    if (source === undefined) return [];
    const params = { field, file: { $bytesOf: source }, nsfw: field === 'mask' ? unchecked : nsfw };
    // Files are named after calls.
    const id = field.replaceAll('/', '-');
    return [{ id, task: 'prepare-image', model: inputModel, summary: `prepare ${field}`, role: 'input', params }];
  });
  return { name: 'inputs', calls };
}

/**
 * Returns the plan that prepares the images of a request and then makes one call.
 * @param sources by field of the request
 */
export function planOnImages(sources: Record<string, string | undefined>, nsfw: boolean, call: Call): Plan {
  return { prompt: null, stages: [prepareInputs(sources, nsfw), { name: 'make', calls: [call] }] };
}

/** Returns the digests of the images that came with the request. */
export function storedInputs(stages: readonly Stage[]): string[] {
  return stages.flatMap(({ calls }) =>
    calls.flatMap((call) => {
      const source = call.task === 'prepare-image' ? call.params.file.$bytesOf : '';
      return source.startsWith('sha256:') ? [source.slice('sha256:'.length)] : [];
    }),
  );
}
