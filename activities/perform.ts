/** One call of a plan: resolves its references, has an engine answer it, keeps the result. Repeats find it kept. */
import { createHash } from 'node:crypto';
import type { Binding } from '../engines/catalogue.ts';
import { type EngineCall, EngineError, type EngineImage, type EngineResult } from '../engines/contract/index.ts';
import type { Call } from '../schemas/plan.ts';
import type { CallTry } from '../schemas/workflow.ts';
import { findArtwork, findImages, findResults, type NewResult, saveMessage, saveResult } from '../store/artworks.ts';
import type { Artwork } from '../store/entities.ts';
import { endJob } from '../store/jobs.ts';
import { markRetried, saveFailedAttempt } from '../store/failed-attempts.ts';
import type { Dependencies } from './dependencies.ts';
import { codeOf } from './failure.ts';
import { checkEnhanced, checkImages, checkPrompt } from './gate.ts';
import { patienceOfCalls, persistently } from './persistently.ts';
import { Unwanted } from './remote.ts';
import { resolveCall } from './resolve.ts';
import { run } from './run.ts';

const extensions = { 'image/png': 'png', 'image/jpeg': 'jpg', 'image/webp': 'webp' } as const;

/** A try of a call, with what Temporal knows of it. */
interface Task extends CallTry {
  /** From 1. */
  attempt: number;
}

type Asked = Planned & { isRetry: boolean; until: number | undefined };

interface Planned {
  artwork: Artwork;
  call: Call;
  binding: Binding;
  results: Awaited<ReturnType<typeof findResults>>;
}

/** @param signal aborts when the artwork is canceled or the worker stops */
export async function perform(deps: Dependencies, task: Task, signal: AbortSignal): Promise<void> {
  const { id, callId, attempt } = task;
  const startedAt = new Date(deps.now());
  const planned = await findCall(deps, task);
  if (!planned) return;
  try {
    const answer = await answered(deps, { ...planned, isRetry: attempt > 1, until: task.until }, signal);
    await keep(deps, { ...planned, attempt, startedAt }, answer);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof Unwanted) return;
    const { engine } = planned.binding;
    const endedAt = new Date(deps.now());
    const code = codeOf(error);
    deps.metrics.engineFailures.inc({ engine, model: planned.call.model, code });
    const failed = { artwork: id, call: callId, engine, attempt, startedAt, endedAt, code };
    // A database that is away must not make another error of it: what is final would be bought again.
    await persistently(deps, patienceOfCalls, async () => {
      // What is final waits for nothing.
      await saveFailedAttempt(deps.db, { ...failed, retriedAt: isFinal(error) ? endedAt : null });
      // The words for the client go to the store: the failure itself becomes part of a history.
      if (error instanceof EngineError && error.publicMessage !== undefined) {
        await saveMessage(deps.db, id, callId, error.publicMessage);
      }
    });
    throw task.brief && isPatient(error) ? error.with({ isPostponed: true }) : error;
  }
}

/** Milliseconds; whoever wants to be left alone for longer is not waited for in a brief try. */
const briefPause = 2000;

const isPatient = (error: unknown): error is EngineError =>
  error instanceof EngineError && error.code === 'provider_unavailable' && (error.retryAfter ?? 0) > briefPause;

const isFinal = (error: unknown): boolean => error instanceof EngineError && error.isFinal;

/** @returns null when there is nothing to do: it is done, or there is nobody any more to do it for */
async function findCall(deps: Dependencies, { id, callId, engine }: Task): Promise<Planned | null> {
  const [results, artwork] = await Promise.all([findResults(deps.db, id), findArtwork(deps.db, id)]);
  if (results.has(callId)) return null;
  const call = artwork?.plan?.stages.flatMap(({ calls }) => calls).find((planned) => planned.id === callId);
  if (!artwork || !call) return null;
  const { bindings } = deps.catalogue.model(call.model, artwork.plan?.test);
  const binding = bindings.find((one) => one.engine === engine) ?? bindings[0];
  if (!binding) throw new Error(`The model ${call.model} is bound to no engine`);
  return { artwork, call, binding, results };
}

async function answered(deps: Dependencies, planned: Asked, signal: AbortSignal): Promise<EngineResult> {
  const { artwork, call, binding, results, isRetry, until } = planned;
  const engine = await deps.catalogue.engine(binding.engine);
  const asked = await resolveCall(deps, { artworkId: artwork.id, call, results }, signal);
  checkPrompt(asked);
  const of = { artwork: artwork.id, call: call.id, engine: binding.engine };
  const limits = limitsOf(deps, binding);
  const begun = async () => {
    if (isRetry || limits) await markRetried(deps.db, { artwork: artwork.id, call: call.id }, new Date(deps.now()));
  };
  const { timeout } = binding;
  const answer = await run(deps, { engine, asked, of, timeout, limits, signal, until, begun });
  await judge(deps, asked, answer, signal);
  return answer;
}

/** What has been made, and perhaps paid for, is not lost because the judge has stumbled. */
async function judge(deps: Dependencies, asked: EngineCall, { images = [] }: EngineResult, signal: AbortSignal) {
  for (let tries = 1; ; tries++) {
    try {
      return await checkImages(deps.catalogue, asked, images, signal);
    } catch (error) {
      if (signal.aborted || codeOf(error) === 'content_refused' || tries === 3) throw error;
    }
  }
}

interface Try extends Planned {
  attempt: number;
  startedAt: Date;
}

async function keep(
  deps: Dependencies,
  { artwork, call, binding, attempt, startedAt }: Try,
  answer: EngineResult,
): Promise<void> {
  const { id } = artwork;
  const images: NewResult['images'] = [];
  for (const [index, image] of (answer.images ?? []).entries()) {
    const file = describe(call.id, index, image);
    await deps.files.write(id, file.name, image.bytes);
    images.push({ ...file, role: call.role ?? 'image', model: answer.model });
  }
  const text = answer.written?.text ?? answer.text ?? null;
  const isPrompt = text !== null && isPromptOf(artwork.plan?.prompt, call.id);
  if (isPrompt) checkEnhanced(text);
  const { finishReason = null, usage = null } = answer.written ?? {};
  const kept = { call: call.id, model: answer.model, text, finishReason, usage, isPrompt, images, attempt, startedAt };
  let isKept = false;
  await persistently(deps, patienceOfCalls, async () => {
    isKept = await saveResult(deps.db, id, kept, new Date(deps.now()));
  });
  if (!isKept) await discard(deps, id, images);
  if (limitsOf(deps, binding)) {
    await endJob(deps.db, { artwork: id, call: call.id, engine: binding.engine }, new Date(deps.now()));
  }
}

/** Present for a provider's engine. */
const limitsOf = ({ catalogue }: Dependencies, { engine }: Binding) => catalogue.engines.get(engine)?.limits;

/** Another try of the same call was faster, or the artwork has ended: files that no record names must not stay. */
async function discard({ db, files }: Dependencies, id: string, images: NewResult['images']): Promise<void> {
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
