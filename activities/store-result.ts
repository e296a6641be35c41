/** Stores the result of a call: first its files, then its row. Only the first result of a call is stored. */
import { createHash } from 'node:crypto';
import { EngineError, type EngineImage } from '../engines/contract/index.ts';
import type { Call } from '../schemas/plan.ts';
import { findArtwork } from '../store/artworks.ts';
import type { Artwork } from '../store/entities.ts';
import { findImages, type NewResult, saveResult } from '../store/results.ts';
import { checkEnhancedPrompt } from './content-checks.ts';
import type { Dependencies } from './dependencies.ts';
import { resultWriteTimeout, retryWrite } from './retry-write.ts';
import type { EngineOutput } from './run-engine.ts';

const extensions = { 'image/png': 'png', 'image/jpeg': 'jpg', 'image/webp': 'webp' } as const;

interface PerformedCall {
  artwork: Artwork;
  call: Call;
  /** Number of the attempt, starting at 1. */
  attempt: number;
  startedAt: Date;
}

/**
 * @param signal ends the wait for a storage that is unavailable
 * @throws EngineError a final one, if the result cannot be stored and another attempt would be paid for again
 */
export async function storeResult(
  deps: Dependencies,
  { artwork, call, attempt, startedAt }: PerformedCall,
  { result, isPaidOnce }: EngineOutput,
  signal: AbortSignal,
): Promise<void> {
  const { id } = artwork;
  const made = (result.images ?? []).map((image, index) => ({
    file: describe(call.id, index, image),
    bytes: image.bytes,
  }));
  const images = made.map(({ file }) => ({ ...file, role: call.role ?? 'image', model: result.model }));
  const text = result.written?.text ?? result.text ?? null;
  const isPrompt = text !== null && isPromptOf(artwork.plan?.prompt, call.id);
  if (isPrompt) checkEnhancedPrompt(text);
  const { finishReason = null, usage = null } = result.written ?? {};
  const row = { call: call.id, model: result.model, text, finishReason, usage, isPrompt, images, attempt, startedAt };
  const unwritten = [...made];
  let isStored = false;
  try {
    await retryWrite(
      deps,
      resultWriteTimeout,
      async () => {
        for (let [next] = unwritten; next; [next] = unwritten) {
          await deps.files.write(id, next.file.name, next.bytes);
          unwritten.shift();
        }
        isStored = await saveResult(deps.db, id, row, new Date(deps.now()));
      },
      signal,
    );
  } catch (error) {
    if (!isPaidOnce || signal.aborted) throw error;
    deps.log.error({ err: error, artworkId: id, call: call.id }, 'A result that was paid for could not be stored');
    throw new EngineError('internal_error', 'The result could not be stored', { isFinal: true });
  }
  if (!isStored) await discard(deps, id, images);
}

/** Removes files without a row, because another attempt was faster or the artwork has ended. */
async function discard({ db, files }: Dependencies, id: string, images: NewResult['images']): Promise<void> {
  if (!(await findArtwork(db, id))) return files.remove(id);
  const stored = new Set((await findImages(db, id)).map(({ name }) => name));
  for (const { name } of images) if (!stored.has(name)) await files.delete(id, name);
}

function isPromptOf(prompt: unknown, callId: string): boolean {
  return typeof prompt === 'object' && prompt !== null && '$textOf' in prompt && prompt.$textOf === callId;
}

/** The file name contains a digest of its bytes, so a late attempt cannot replace the file of a stored result. */
function describe(callId: string, index: number, image: EngineImage) {
  const { contentType, width, height, seed, bytes } = image;
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const name = `${callId}-${index + 1}.${sha256.slice(0, 8)}.${extensions[contentType]}`;
  return { name, contentType, width, height, seed, bytes: bytes.byteLength, sha256 };
}
