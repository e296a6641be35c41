/** One attempt of a call: resolves its references, runs the engine and stores the result. A repeat finds the stored result. */
import type { Binding } from '../engines/catalogue.ts';
import { EngineError } from '../engines/contract/index.ts';
import { ProviderError } from '../engines/upstream/failures.ts';
import type { Call } from '../schemas/plan.ts';
import type { CallAttempt } from '../schemas/workflow.ts';
import { findArtwork } from '../store/artworks.ts';
import type { Artwork, Job } from '../store/entities.ts';
import { countFailedAttempts, markRetried, saveFailedAttempt } from '../store/failed-attempts.ts';
import { openJobId } from '../store/jobs.ts';
import { findResults, saveMessage } from '../store/results.ts';
import { ableBindings } from './able-bindings.ts';
import { bindCall, permitAt } from './bind-call.ts';
import type { CallSignals } from './call-signals.ts';
import { checkResult } from './check-result.ts';
import { checkPrompt, explainRefusal } from './content-checks.ts';
import { countStart } from './count-start.ts';
import type { Dependencies } from './dependencies.ts';
import { codeOf } from './failures.ts';
import { checkInputPixels } from './input-pixels.ts';
import { resultWriteTimeout, retryWrite } from './retry-write.ts';
import type { Permit } from './poll-permits.ts';
import { ArtworkEnded } from './provider-call.ts';
import { isFree } from './repetition.ts';
import { resolveCall } from './resolve.ts';
import { runEngine } from './run-engine.ts';
import { storeResult } from './store-result.ts';
import { CallTaken } from './submission-lease.ts';

interface Attempt extends CallAttempt {
  /** Number of the attempt, starting at 1. */
  attempt: number;
  permit: Permit;
  /** Milliseconds that the outline gives the call. */
  timeout: number;
}

interface PlannedCall {
  artwork: Artwork;
  call: Call;
  binding: Binding;
  results: Awaited<ReturnType<typeof findResults>>;
  /** The row of the call after `awaitOutcome`; null for an embedded engine. */
  known: Job | null;
}

export async function perform(deps: Dependencies, attempt: Attempt, signals: CallSignals): Promise<void> {
  const { id, callId, attempt: attemptNumber, brief } = attempt;
  const startedAt = new Date(deps.now());
  const planned = await findCall(deps, attempt, signals.attempt);
  if (!planned) return;
  try {
    const permit = permitAt(deps, {
      engine: planned.binding.engine,
      queueEngine: attempt.engine,
      permit: attempt.permit,
    });
    await runCall(deps, { ...planned, ...attempt, permit, startedAt }, signals);
  } catch (cause) {
    signals.attempt.throwIfAborted();
    if (cause instanceof ArtworkEnded) return;
    if (cause instanceof CallTaken) throw cause;
    const { engine } = planned.binding;
    const endedAt = new Date(deps.now());
    const code = codeOf(cause);
    const error =
      code === 'internal_error' && !isFinal(cause)
        ? await countedError(deps, attempt, cause)
        : explainRefusal(cause, planned.call);
    deps.metrics.engineFailures.inc({ engine, model: planned.call.model, code });
    const failed = { artwork: id, call: callId, engine, attempt: attemptNumber, startedAt, endedAt, code };
    // If a database error replaced a final error, Temporal would retry the call, and it would be paid for again.
    await retryWrite(
      deps,
      resultWriteTimeout,
      async () => {
        // No attempt follows a final error, so the progress must not show a wait: set `retriedAt` at once.
        await saveFailedAttempt(deps.db, { ...failed, retriedAt: isFinal(error) ? endedAt : null });
        // The message for the client is stored here, because the failure becomes part of a history.
        if (error instanceof EngineError && error.publicMessage !== undefined) {
          await saveMessage(deps.db, id, callId, error.publicMessage);
        }
      },
      signals.attempt,
    ).catch((cause: unknown) => {
      if (!isFinal(error)) throw cause;
    });
    throw brief && (needsLongPause(error) || mayBeCharged(error)) ? error.with({ isPostponed: true }) : error;
  }
}

/**
 * The longest `retryAfter` in milliseconds that Temporal waits after a brief attempt. After a longer one, the workflow
 * waits.
 */
const longestBriefPause = 2000;

const needsLongPause = (error: unknown): error is EngineError =>
  error instanceof EngineError && error.code === 'provider_unavailable' && (error.retryAfter ?? 0) > longestBriefPause;

/** Another engine that works is better than a second submission to this one. */
const mayBeCharged = (error: unknown): error is ProviderError => error instanceof ProviderError && !isFree(error);

const isFinal = (error: unknown): boolean => error instanceof EngineError && error.isFinal;

/** Unexpected errors after which a call fails. Such an error is probably a bug, but a deployment can cause one, too. */
const maxUnexpectedErrors = 3;

/** Returns an unexpected error as a final one, if the call has failed with too many of them, at whatever attempts. */
async function countedError({ db }: Dependencies, { id, callId }: Attempt, cause: unknown): Promise<EngineError> {
  const earlier = await countFailedAttempts(db, { artwork: id, call: callId, code: 'internal_error' });
  const isFinal = earlier + 1 >= maxUnexpectedErrors;
  if (cause instanceof EngineError) return isFinal ? cause.with({ isFinal }) : cause;
  const name = cause instanceof Error ? cause.name : typeof cause;
  return new EngineError('internal_error', `Unexpected ${name}`, { cause, isFinal });
}

/** @returns null when the call has a result, or its artwork has ended or is deleted */
async function findCall(deps: Dependencies, attempt: Attempt, signal: AbortSignal): Promise<PlannedCall | null> {
  const { id, callId, engine, timeout } = attempt;
  const [earlier, artwork] = await Promise.all([findResults(deps.db, id), findArtwork(deps.db, id)]);
  deps.nameRequest(artwork?.requestId);
  if (earlier.has(callId)) return null;
  const call = artwork?.plan?.stages.flatMap(({ calls }) => calls).find((planned) => planned.id === callId);
  if (!artwork || !call) return null;
  const { binding, known } = await bindCall(deps, { artwork, call, engine, timeout }, signal);
  // The attempt that has ended meanwhile may have stored the result.
  const results = known ? await findResults(deps.db, id) : earlier;
  return results.has(callId) ? null : { artwork, call, binding, results, known };
}

interface CallRun extends PlannedCall, Pick<Attempt, 'attempt' | 'permit' | 'until' | 'brief'> {
  startedAt: Date;
}

/** Runs the call and stores its result. */
async function runCall(deps: Dependencies, planned: CallRun, signals: CallSignals): Promise<void> {
  const { artwork, call, binding, results, known, attempt, permit, until, brief } = planned;
  const engine = await deps.catalogue.engine(binding.engine);
  const resolved = await resolveCall(deps, { artworkId: artwork.id, call, results }, signals.attempt);
  checkPrompt(resolved);
  // A provider that has accepted the call has accepted its images.
  if (openJobId(known) === null) {
    const { bindings } = deps.catalogue.model(call.model, artwork.plan?.test);
    // The workflow continues with other engines only after a brief attempt.
    checkInputPixels(resolved, binding, brief ? ableBindings(bindings, call.params) : []);
  }
  const at = { artwork: artwork.id, call: call.id, engine: binding.engine };
  const limits = limitsOf(deps, binding);
  const isDirect = deps.catalogue.source(binding.engine)?.isDirect ?? false;
  const isRetry = attempt > 1 || until !== undefined;
  const onStart = async () => {
    if (isRetry || limits) await markRetried(deps.db, { artwork: artwork.id, call: call.id }, new Date(deps.now()));
  };
  const { timeout } = binding;
  const run = { engine, call: resolved, at, timeout, limits, isDirect, known, signals, permit, until, onStart };
  const output = await (isRetry && !limits
    ? countStart(deps, { at, model: call.model }, () => runEngine(deps, run))
    : runEngine(deps, run));
  let isStored = false;
  try {
    await checkResult(deps, { call: resolved, output }, signals.call);
    await storeResult(deps, planned, output, output.isPaidOnce ? signals.canceled : signals.attempt);
    isStored = true;
  } finally {
    await output.settle(isStored);
  }
}

/** Returns a provider's limits; undefined for an embedded engine. */
const limitsOf = ({ catalogue }: Dependencies, { engine }: Binding) => catalogue.source(engine)?.limits;
