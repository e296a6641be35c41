/** Runs an engine call within its timeout; at a provider, also within the provider's limits. */
import { type Engine, type EngineCall, EngineError, type EngineResult } from '../engines/contract/index.ts';
import type { ProviderLimits } from '../schemas/engines-file.ts';
import type { Job } from '../store/entities.ts';
import { type CallAtEngine, countCharges } from '../store/jobs.ts';
import { abortLater, type CallSignals } from './call-signals.ts';
import type { Dependencies } from './dependencies.ts';
import { ArtworkEnded, openProviderCall, type ProviderCall } from './provider-call.ts';
import type { Permit } from './poll-permits.ts';
import { createProviderSlot } from './provider-slot.ts';
import { checkRepetition, isFree, maxCharges } from './repetition.ts';
import { CallTaken } from './submission-lease.ts';

export interface EngineRun {
  engine: Engine;
  call: EngineCall;
  at: CallAtEngine;
  /** Milliseconds from the start of the engine's work. */
  timeout: number;
  /** The provider's limits; undefined for an embedded engine. */
  limits: ProviderLimits | undefined;
  /** Whether the provider keeps no job from which another attempt could read the result. */
  isDirect: boolean;
  /** The row of the call after `awaitOutcome`. */
  known: Job | null;
  signals: CallSignals;
  /** Released as soon as the provider has finished. */
  permit: Permit;
  /** Epoch milliseconds after which the call is not submitted. */
  until: number | undefined;
  /** Called when the engine starts to work. */
  onStart(): Promise<void>;
}

export interface EngineOutput {
  result: EngineResult;
  /** Whether another attempt would pay for images again, because the provider keeps no job to read them from. */
  isPaidOnce: boolean;
  /** Ends the submission. Until then, no other attempt submits the call. */
  settle(isStored: boolean): Promise<void>;
}

/** @throws EngineError */
export async function runEngine(deps: Dependencies, run: EngineRun): Promise<EngineOutput> {
  const timer = createTimer(run.timeout);
  try {
    if (run.limits) return await runAtProvider(deps, run, run.limits, timer);
    await run.onStart();
    timer.start();
    const result = await runUntil(run, run.signals.attempt, timer.expired);
    return { result, isPaidOnce: false, settle: () => Promise.resolve() };
  } finally {
    const took = timer.stop();
    const labels = { engine: run.at.engine, model: run.call.model };
    if (took !== null) deps.metrics.engines.observe(labels, took / 1000);
  }
}

/** Milliseconds in which a submission may complete after the artwork is canceled or the worker stops. */
const submitGrace = 10_000;

async function runAtProvider(
  deps: Dependencies,
  run: EngineRun,
  limits: ProviderLimits,
  timer: Timer,
): Promise<EngineOutput> {
  const { engine, call, at, timeout, isDirect, known, signals, permit, until = Infinity, onStart } = run;
  const slot = createProviderSlot(deps, at, limits, signals.attempt);
  const acquire = async (prepare: () => Promise<void>) => {
    if (deps.now() >= until) throw deadlineExceeded(engine.name);
    signals.attempt.throwIfAborted();
    if (call.task !== 'write') await deps.files.checkSpace();
    const charges = await checkRepetition(deps, run);
    const stopWaiting = deps.metrics.admission.startTimer({ engine: at.engine });
    await slot.acquire(() => Promise.all([prepare(), onStart()])).finally(stopWaiting);
    permit.start();
    if (charges > 0) deps.metrics.repeatedSubmissions.inc({ engine: at.engine, model: call.model });
    timer.start();
  };
  const submitSignal = AbortSignal.any([timer.expired, abortLater(signals.call, submitGrace)]);
  const deletesCopies = engine.deletesCopies ?? false;
  const options = {
    ...{ model: call.model, timeout, isDirect, deletesCopies, known },
    ...{ signal: signals.attempt, submitSignal, acquire },
  };
  const providerCall = openProviderCall(deps, at, options);
  try {
    if (providerCall.hasJob()) {
      await Promise.all([slot.resume(), onStart()]);
      permit.start();
      timer.start();
    }
    const signal = isDirect ? signals.call : signals.attempt;
    const result = await runUntil(run, signal, timer.expired, providerCall);
    await slot.release();
    permit.release();
    const settle = (isStored: boolean) => providerCall.settle(isStored ? 'stored' : 'charged');
    return { result, isPaidOnce: call.task !== 'write' && !providerCall.hasJob(), settle };
  } catch (error) {
    await slot.release(error);
    await providerCall.settle(isFree(error) ? 'free' : 'charged');
    if (!(error instanceof EngineError) || error instanceof CallTaken || error instanceof ArtworkEnded) throw error;
    if (providerCall.hasJob()) throw error.with({ holdsJob: true });
    if (isFree(error) || error.isFinal) throw error;
    // `checkRepetition` enforces the limit, too, if the database does not respond here.
    const charges = await countCharges(deps.db, at).catch(() => 0);
    throw charges >= maxCharges(call) ? error.with({ isFinal: true }) : error;
  }
}

const deadlineExceeded = (engine: string) =>
  new EngineError('provider_unavailable', `${engine} was not available before the deadline`, { isFinal: true });

/** @throws EngineError `provider_timeout` when the timeout expires */
async function runUntil(
  { engine, call }: EngineRun,
  signal: AbortSignal,
  expired: AbortSignal,
  { remote, hasJob }: Partial<ProviderCall> = {},
): Promise<EngineResult> {
  try {
    return await engine.run(call, { signal: AbortSignal.any([signal, expired]), ...(remote && { remote }) });
  } catch (error) {
    if (!expired.aborted || signal.aborted) throw error;
    // Images may have been paid for, so another attempt would pay twice, unless it can read the result from the job.
    const isFinal = call.task !== 'write' && hasJob?.() !== true;
    throw new EngineError('provider_timeout', `${engine.name} did not respond in time`, { isFinal });
  }
}

interface Timer {
  /** Aborts when the timeout expires. */
  expired: AbortSignal;
  start(): void;
  /** @returns milliseconds since the start; null when the timer was not started */
  stop(): number | null;
}

function createTimer(timeout: number): Timer {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let startedAt = 0;
  return {
    expired: controller.signal,
    start() {
      if (timer) return;
      startedAt = performance.now();
      timer = setTimeout(() => controller.abort(), timeout);
    },
    stop() {
      clearTimeout(timer);
      return timer ? performance.now() - startedAt : null;
    },
  };
}
