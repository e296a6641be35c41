/** Turns a planned call into an engine call: replaces references with the images, bytes and texts to which they refer. */
import type { EngineCall } from '../engines/contract/index.ts';
import type { BytesOf, Call, ImageOf, ImagesOf, Params, PlannableTask, PlannedTask, TextOf } from '../schemas/plan.ts';
import type { InputImage, Tasks } from '../schemas/tasks.ts';
import { findImages } from '../store/results.ts';
import type { Dependencies } from './dependencies.ts';
import { loadSource } from './load-source.ts';

interface Planned {
  artworkId: string;
  call: Call;
  /** Results of earlier calls, by call. */
  results: ReadonlyMap<string, { text?: string | null | undefined }>;
}

/** @throws EngineError when an input image cannot be loaded */
export async function resolveCall(deps: Dependencies, planned: Planned, signal: AbortSignal): Promise<EngineCall> {
  const { artworkId, call } = planned;
  const resolved = await resolveTask(call, referencesOf(deps, planned, signal));
  return { ...resolved, model: call.model, idempotencyKey: `${artworkId}/${call.id}` };
}

/** A task and its resolved parameters. */
type ResolvedTask<T extends PlannableTask> = { [K in T]: { task: K; params: Tasks[K] } }[T];

async function resolveTask<T extends PlannableTask>(
  { task, params }: PlannedTask<T>,
  references: References,
): Promise<ResolvedTask<T>> {
  return { task, params: await resolvers[task](params, references) };
}

type Resolver<T extends PlannableTask> = (params: Params<Tasks[T]>, references: References) => Promise<Tasks[T]>;

const withImage = async <P extends { image: ImageOf }>(params: P, { image }: References) => ({
  ...params,
  image: await image(params.image),
});

/** Resolves the references of each task. A resolver that leaves a reference in its result does not compile. */
const resolvers: { [T in PlannableTask]: Resolver<T> } = {
  'text-to-image': (params, { text }) =>
    Promise.resolve({
      ...params,
      prompt: text(params.prompt),
      negativePrompt: text(params.negativePrompt),
    }),
  write: async (params, { text, images }) => {
    if (params.purpose !== 'describe-style') return params;
    const { images: pictures, measured, ...facts } = params.facts;
    return {
      ...params,
      facts: { ...facts, measured: text(measured), ...(pictures && { images: await images(pictures) }) },
    };
  },
  'vary-image': async (params, references) => ({
    ...(await withImage(params, references)),
    prompt: references.text(params.prompt),
  }),
  'edit-image': async (params, references) => ({
    ...(await withImage(params, references)),
    instruction: references.text(params.instruction),
    mask: params.mask && (await references.image(params.mask)),
  }),
  'refine-face': withImage,
  'swap-face': async (params, { image }) => ({
    ...params,
    source: await image(params.source),
    target: await image(params.target),
  }),
  upscale: withImage,
  'sharpen-detail': withImage,
  'remove-background': withImage,
  segment: async (params, references) => ({
    ...(await withImage(params, references)),
    prompt: references.text(params.prompt),
  }),
  'estimate-depth': withImage,
  'measure-style': async (params, { images }) => ({ ...params, images: await images(params.images) }),
  'prepare-image': async (params, { callId, bytes }) => {
    // Plans of earlier releases name the field only in the call's id.
    const { field = callId }: { field?: string } = params;
    return { ...params, field, file: await bytes(params.file, field) };
  },
};

interface References {
  /** The id of the call that contains the references. */
  callId: string;
  /** Returns the text of an earlier call, or the value itself. @throws Error when the call wrote no text */
  text<Value extends string | null>(value: Value | TextOf): Value | string;
  /** @throws Error when the earlier call made no image, or a purge has removed its file */
  image(reference: ImageOf): Promise<InputImage>;
  images(reference: ImagesOf): Promise<InputImage[]>;
  /** @throws EngineError when the source cannot be read */
  bytes(reference: BytesOf, field: string): Promise<Uint8Array>;
}

function referencesOf(deps: Dependencies, { artworkId, call, results }: Planned, signal: AbortSignal): References {
  const image = (callId: string) => loadImage(deps, artworkId, callId);
  return {
    callId: call.id,
    text: (value) => {
      if (typeof value !== 'object' || value === null) return value;
      const text = results.get(value.$textOf)?.text;
      if (text == null) throw new Error(`Call ${call.id} needs the text of ${value.$textOf}, which wrote none`);
      return text;
    },
    image: ({ $imageOf }) => image($imageOf),
    images: ({ $imagesOf }) => Promise.all($imagesOf.map(image)),
    bytes: ({ $bytesOf }, field) => loadSource(deps, { artworkId, field, source: $bytesOf }, signal),
  };
}

async function loadImage({ db, files }: Dependencies, artworkId: string, callId: string): Promise<InputImage> {
  const image = (await findImages(db, artworkId)).find(({ name }) => name.startsWith(`${callId}-1.`));
  const bytes = image && (await files.load(artworkId, image.name));
  if (!bytes) throw new Error(`Call ${callId} has no stored image`);
  const { width, height } = image;
  // `perform` stores only PNG, JPEG and WebP.
  return { bytes, contentType: image.contentType as InputImage['contentType'], width, height };
}
