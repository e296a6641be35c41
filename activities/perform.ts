/** One call of a plan: resolves its references, has the engine answer it, keeps the result. Repeats find it kept. */
import { createHash } from 'node:crypto';
import { EngineError, type EngineImage } from '../engines/engine.ts';
import { findArtwork, findImages, findResults, type Result, saveMessage, saveResult } from '../store/artworks.ts';
import type { Dependencies } from './dependencies.ts';
import { checkEnhanced, checkImages, checkPrompt } from './gate.ts';
import { resolveCall } from './resolve.ts';

const extensions = { 'image/png': 'png', 'image/jpeg': 'jpg', 'image/webp': 'webp' } as const;

interface Task {
  /** Of the artwork. */
  id: string;
  callId: string;
}

/** @param signal aborts when the artwork is canceled or the worker stops */
export async function perform(deps: Dependencies, task: Task, signal: AbortSignal): Promise<void> {
  try {
    await performCall(deps, task, signal);
  } catch (error) {
    // The words for the client go to the store: the failure itself becomes part of a history.
    if (error instanceof EngineError && error.publicMessage !== undefined) {
      await saveMessage(deps.db, task.id, task.callId, error.publicMessage);
    }
    throw error;
  }
}

async function performCall(deps: Dependencies, { id, callId }: Task, signal: AbortSignal): Promise<void> {
  const [results, artwork] = await Promise.all([findResults(deps.db, id), findArtwork(deps.db, id)]);
  if (results.has(callId)) return;
  const call = artwork?.plan?.stages.flatMap(({ calls }) => calls).find((planned) => planned.id === callId);
  // Purged or ended meanwhile: there is nobody to do it for.
  if (!artwork || !call) return;

  const { engine: name } = deps.catalogue.binding(call.model);
  const engine = await deps.catalogue.engine(name);
  const asked = await resolveCall(deps, { artworkId: id, call, results }, signal);
  checkPrompt(asked);
  const answer = await engine.run(asked, { signal });
  await checkImages(deps.catalogue, asked, answer.images ?? [], signal);

  const images: Result['images'] = [];
  for (const [index, image] of (answer.images ?? []).entries()) {
    const file = describe(callId, index, image);
    await deps.files.write(id, file.name, image.bytes);
    images.push({ ...file, role: call.role ?? 'image', model: answer.model });
  }
  const text = answer.written?.text ?? answer.text ?? null;
  const isPrompt = text !== null && isPromptOf(artwork.plan?.prompt, callId);
  if (isPrompt) checkEnhanced(text);
  const { finishReason = null, usage = null } = answer.written ?? {};
  const result = { call: callId, model: answer.model, text, finishReason, usage, isPrompt, images };
  if (!(await saveResult(deps.db, id, result, new Date(deps.now())))) await discard(deps, id, images);
}

/** Another try of the same call was faster, or the artwork has ended: files that no record names must not stay. */
async function discard({ db, files }: Dependencies, id: string, images: Result['images']): Promise<void> {
  if (!(await findArtwork(db, id))) return files.remove(id);
  const recorded = new Set((await findImages(db, id)).map(({ name }) => name));
  for (const { name } of images) if (!recorded.has(name)) await files.delete(id, name);
}

function isPromptOf(prompt: unknown, callId: string): boolean {
  return typeof prompt === 'object' && prompt !== null && '$textOf' in prompt && prompt.$textOf === callId;
}

/** The name holds the contents' digest: a try that comes too late cannot put other bytes behind a recorded name. */
function describe(callId: string, index: number, image: EngineImage) {
  const { contentType, width, height, seed, bytes } = image;
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const name = `${callId}-${index + 1}.${sha256.slice(0, 8)}.${extensions[contentType]}`;
  return { name, contentType, width, height, seed, bytes: bytes.byteLength, sha256 };
}
