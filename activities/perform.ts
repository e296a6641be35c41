/** One attempt of a call: resolves its references, runs the engine and stores the result. A repeat finds the stored result. */
import { createHash } from 'node:crypto';
import type { Binding } from '../engines/catalogue.ts';
import { type EngineCall, EngineError, type EngineImage, type EngineResult } from '../engines/contract/index.ts';
import type { Call } from '../schemas/plan.ts';
import type { CallAttempt } from '../schemas/workflow.ts';
import { findArtwork } from '../store/artworks.ts';
import type { Artwork } from '../store/entities.ts';
import { markRetried, saveFailedAttempt } from '../store/failed-attempts.ts';
import { endJob } from '../store/jobs.ts';
import { findImages, findResults, type NewResult, saveMessage, saveResult } from '../store/results.ts';
import type { Dependencies } from './dependencies.ts';
import { codeOf } from './failures.ts';
import { checkEnhancedPrompt, checkImages, checkPrompt } from './content-checks.ts';
import { resultWriteTimeout, retryWrite } from './retry-write.ts';
import { ArtworkEnded } from './provider-call.ts';
import { resolveCall } from './resolve.ts';
import { type EngineOutput, runEngine } from './run-engine.ts';

const extensions = { 'image/png': 'png', 'image/jpeg': 'jpg', 'image/webp': 'webp' } as const;

interface Attempt extends CallAttempt {
  /** Number of the attempt, starting at 1. */
  attempt: number;
}

interface PlannedCall {
  artwork: Artwork;
  call: Call;
  binding: Binding;
  results: Awaited<ReturnType<typeof findResults>>;
}

/** @param signal aborts when the artwork is canceled or the worker stops */
export async function perform(deps: Dependencies, attempt: Attempt, signal: AbortSignal): Promise<void> {
  const { id, callId, attempt: attemptNumber, until, brief } = attempt;
  const startedAt = new Date(deps.now());
  const planned = await findCall(deps, attempt);
  if (!planned) return;
  try {
    const output = await runCall(deps, { ...planned, isRetry: attemptNumber > 1, until }, signal);
    await storeResult(deps, { ...planned, attempt: attemptNumber, startedAt }, output);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ArtworkEnded) return;
    const { engine } = planned.binding;
    const endedAt = new Date(deps.now());
    const code = codeOf(error);
    deps.metrics.engineFailures.inc({ engine, model: planned.call.model, code });
    const failed = { artwork: id, call: callId, engine, attempt: attemptNumber, startedAt, endedAt, code };
    // If a database error replaced a final error, Temporal would retry the call, and it would be paid for again.
    await retryWrite(deps, resultWriteTimeout, async () => {
      // No attempt follows a final error, so the progress must not show a wait: set `retriedAt` at once.
      await saveFailedAttempt(deps.db, { ...failed, retriedAt: isFinal(error) ? endedAt : null });
      // The message for the client is stored here, because the failure becomes part of a history.
      if (error instanceof EngineError && error.publicMessage !== undefined) {
        await saveMessage(deps.db, id, callId, error.publicMessage);
      }
    }).catch((cause: unknown) => {
      if (!isFinal(error)) throw cause;
    });
    throw brief && needsLongPause(error) ? error.with({ isPostponed: true }) : error;
  }
}

/**
 * The longest `retryAfter` in milliseconds that Temporal waits after a brief attempt. After a longer one, the workflow
 * waits.
 */
const longestBriefPause = 2000;

const needsLongPause = (error: unknown): error is EngineError =>
  error instanceof EngineError && error.code === 'provider_unavailable' && (error.retryAfter ?? 0) > longestBriefPause;

const isFinal = (error: unknown): boolean => error instanceof EngineError && error.isFinal;

/** @returns null when the call has a result, or its artwork has ended or is deleted */
async function findCall(deps: Dependencies, { id, callId, engine }: Attempt): Promise<PlannedCall | null> {
  const [results, artwork] = await Promise.all([findResults(deps.db, id), findArtwork(deps.db, id)]);
  if (results.has(callId)) return null;
  const call = artwork?.plan?.stages.flatMap(({ calls }) => calls).find((planned) => planned.id === callId);
  if (!artwork || !call) return null;
  const { bindings } = deps.catalogue.model(call.model, artwork.plan?.test);
  const binding = bindings.find((one) => one.engine === engine) ?? bindings[0];
  if (!binding) throw new Error(`The model ${call.model} is bound to no engine`);
  return { artwork, call, binding, results };
}

interface CallRun extends PlannedCall {
  isRetry: boolean;
  until: number | undefined;
}

async function runCall(deps: Dependencies, planned: CallRun, signal: AbortSignal): Promise<EngineOutput> {
  const { artwork, call, binding, results, isRetry, until } = planned;
  const engine = await deps.catalogue.engine(binding.engine);
  const resolved = await resolveCall(deps, { artworkId: artwork.id, call, results }, signal);
  checkPrompt(resolved);
  const at = { artwork: artwork.id, call: call.id, engine: binding.engine };
  const limits = limitsOf(deps, binding);
  const onStart = async () => {
    if (isRetry || limits) await markRetried(deps.db, { artwork: artwork.id, call: call.id }, new Date(deps.now()));
  };
  const { timeout } = binding;
  const output = await runEngine(deps, { engine, call: resolved, at, timeout, limits, signal, until, onStart });
  await checkResult(deps, resolved, output.result, signal);
  return output;
}

/**
 * Checks the images in up to three attempts, because a failure of the classifier must not lose a result that cost
 * money.
 */
async function checkResult(deps: Dependencies, call: EngineCall, { images = [] }: EngineResult, signal: AbortSignal) {
  for (let attempt = 1; ; attempt++) {
    try {
      return await checkImages(deps.catalogue, call, images, signal);
    } catch (error) {
      if (signal.aborted || codeOf(error) === 'content_refused' || attempt === 3) throw error;
    }
  }
}

interface PerformedCall extends PlannedCall {
  attempt: number;
  startedAt: Date;
}

/** @throws EngineError a final one, if the result cannot be stored and another attempt would be paid for again */
async function storeResult(
  deps: Dependencies,
  { artwork, call, binding, attempt, startedAt }: PerformedCall,
  { result, isPaidOnce }: EngineOutput,
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
    await retryWrite(deps, resultWriteTimeout, async () => {
      for (let [next] = unwritten; next; [next] = unwritten) {
        await deps.files.write(id, next.file.name, next.bytes);
        unwritten.shift();
      }
      isStored = await saveResult(deps.db, id, row, new Date(deps.now()));
    });
  } catch (error) {
    if (!isPaidOnce) throw error;
    deps.log.error({ err: error, artworkId: id, call: call.id }, 'A result that was paid for could not be stored');
    throw new EngineError('internal_error', 'The result could not be stored', { isFinal: true });
  }
  if (!isStored) await discard(deps, id, images);
  if (limitsOf(deps, binding)) {
    await endJob(deps.db, { artwork: id, call: call.id, engine: binding.engine }, new Date(deps.now()));
  }
}

/** Returns a provider's limits; undefined for an embedded engine. */
const limitsOf = ({ catalogue }: Dependencies, { engine }: Binding) => catalogue.engines.get(engine)?.limits;

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
