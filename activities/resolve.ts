/** Turns a planned call into one that an engine can answer: what its parameters refer to is put in their place. */
import type { EngineCall } from '../engines/contract/index.ts';
import type { Call } from '../schemas/plan.ts';
import type { InputImage } from '../schemas/tasks.ts';
import { findImages } from '../store/artworks.ts';
import type { Dependencies } from './dependencies.ts';
import { loadSource } from './load-source.ts';

interface Planned {
  artworkId: string;
  call: Call;
  /** What earlier calls have given, by call. */
  results: ReadonlyMap<string, { text?: string | null | undefined }>;
}

/** @throws EngineError when an input image cannot be had */
export async function resolveCall(deps: Dependencies, planned: Planned, signal: AbortSignal): Promise<EngineCall> {
  const { artworkId, call } = planned;
  const params: [string, unknown][] = [];
  for (const [name, value] of Object.entries(call.params)) {
    params.push([name, await resolveValue(deps, planned, value, signal)]);
  }
  // The plan was made by code that types each task's parameters; the database gives back plain JSON.
  return {
    task: call.task,
    model: call.model,
    idempotencyKey: `${artworkId}/${call.id}`,
    params: Object.fromEntries(params),
  } as unknown as EngineCall;
}

/** Looks into objects, so that facts of a text can refer to earlier texts. */
async function resolveValue(
  deps: Dependencies,
  { artworkId, call, results }: Planned,
  value: unknown,
  signal: AbortSignal,
): Promise<unknown> {
  if (typeof value !== 'object' || value === null) return value;
  if ('$textOf' in value) {
    const text = results.get(String(value.$textOf))?.text;
    if (text == null) throw new Error(`Call ${call.id} needs the text of a call that has given none`);
    return text;
  }
  if ('$imageOf' in value) return imageOf(deps, artworkId, String(value.$imageOf));
  if ('$imagesOf' in value) {
    return Promise.all((value.$imagesOf as string[]).map((callId) => imageOf(deps, artworkId, callId)));
  }
  if ('$bytesOf' in value) {
    // The request's name for it. Plans of earlier releases had it in the call's id alone.
    const { field: named } = call.params as { field?: string };
    const field = named ?? call.id;
    return loadSource(deps, { artworkId, field, source: String(value.$bytesOf) }, signal);
  }
  if (Array.isArray(value)) return value;
  const entries = Object.entries(value).map(async ([name, inner]): Promise<[string, unknown]> => {
    return [name, await resolveValue(deps, { artworkId, call, results }, inner, signal)];
  });
  return Object.fromEntries(await Promise.all(entries));
}

/** @throws Error when an earlier call gave no image, or its file is gone: only a purge takes it away */
async function imageOf({ db, files }: Dependencies, artworkId: string, callId: string): Promise<InputImage> {
  const image = (await findImages(db, artworkId)).find(({ name }) => name.startsWith(`${callId}-1.`));
  const bytes = image && (await files.load(artworkId, image.name));
  if (!bytes) throw new Error(`There is no image of the call ${callId}`);
  const { width, height } = image;
  // The column holds what `perform` has written: one of the three.
  return { bytes, contentType: image.contentType as InputImage['contentType'], width, height };
}
