/** Runs an engine call within its timeout; at a provider, also within the provider's limits. */
import {
  type Engine,
  type EngineCall,
  EngineError,
  type EngineResult,
  type Remote,
} from '../engines/contract/index.ts';
import { type Failure, ProviderError } from '../engines/upstream/failures.ts';
import type { ProviderLimits } from '../schemas/engines-file.ts';
import type { CallAtEngine } from '../store/jobs.ts';
import type { Dependencies } from './dependencies.ts';
import { openProviderCall, type ProviderCall } from './provider-call.ts';
import { createProviderSlot } from './provider-slot.ts';

export interface EngineRun {
  engine: Engine;
  call: EngineCall;
  at: CallAtEngine;
  /** Milliseconds from the start of the engine's work. */
  timeout: number;
  /** The provider's limits; undefined for an embedded engine. */
  limits: ProviderLimits | undefined;
  signal: AbortSignal;
  /** Epoch milliseconds after which the call is not submitted. */
  until: number | undefined;
  /** Called when the engine starts to work. */
  onStart(): Promise<void>;
}

export interface EngineOutput {
  result: EngineResult;
  /** Whether another attempt would pay for images again, because the provider keeps no job to read them from. */
  isPaidOnce: boolean;
}

/** @throws EngineError */
export async function runEngine(deps: Dependencies, run: EngineRun): Promise<EngineOutput> {
  const timer = createTimer(run.timeout);
  try {
    if (run.limits) return await runAtProvider(deps, run, run.limits, timer);
    await run.onStart();
    timer.start();
    return { result: await runUntil(run, timer.expired), isPaidOnce: false };
  } finally {
    const took = timer.stop();
    const labels = { engine: run.at.engine, model: run.call.model };
    if (took !== null) deps.metrics.engines.observe(labels, took / 1000);
  }
}

/**
 * Maximum submissions of a call whose responses are unreadable, because each submission has been paid for. A lost
 * connection counts as an outage instead.
 */
const maxSubmissions = 3;
const unreadable: readonly Failure[] = ['unreadable', 'response-too-large'];

async function runAtProvider(
  deps: Dependencies,
  run: EngineRun,
  limits: ProviderLimits,
  timer: Timer,
): Promise<EngineOutput> {
  const { engine, call, at, timeout, signal, until = Infinity, onStart } = run;
  const slot = createProviderSlot(deps, at, limits, signal);
  const acquire = async (prepare: () => Promise<void>) => {
    if (deps.now() >= until) throw deadlineExceeded(engine.name);
    const stopWaiting = deps.metrics.admission.startTimer({ engine: at.engine });
    await slot.acquire(() => Promise.all([prepare(), onStart()])).finally(stopWaiting);
    timer.start();
  };
  const providerCall = await openProviderCall(deps, at, { model: call.model, timeout, acquire });
  try {
    if (providerCall.hasJob()) {
      await Promise.all([slot.resume(), onStart()]);
      timer.start();
    }
    const result = await runUntil(run, timer.expired, providerCall.remote);
    await slot.release();
    return { result, isPaidOnce: call.task !== 'write' && !providerCall.hasJob() };
  } catch (error) {
    await slot.release(error);
    throw withRetryRules(error, call.task, providerCall);
  }
}

const deadlineExceeded = (engine: string) =>
  new EngineError('provider_unavailable', `${engine} was not available before the deadline`, { isFinal: true });

/** Marks errors after which the call must stay with this engine, or must not be attempted again. */
function withRetryRules(error: unknown, task: EngineCall['task'], { hasJob, submissions }: ProviderCall): unknown {
  if (!(error instanceof EngineError)) return error;
  if (hasJob()) return error.with({ holdsJob: true });
  const isUnreadable = error instanceof ProviderError && unreadable.includes(error.failure);
  return isUnreadable && task !== 'write' && submissions() >= maxSubmissions ? error.with({ isFinal: true }) : error;
}

/** @throws EngineError `provider_timeout` when the timeout expires */
async function runUntil(
  { engine, call, signal }: EngineRun,
  expired: AbortSignal,
  remote?: Remote,
): Promise<EngineResult> {
  try {
    return await engine.run(call, { signal: AbortSignal.any([signal, expired]), ...(remote && { remote }) });
  } catch (error) {
    if (!expired.aborted || signal.aborted) throw error;
    // Images may have been paid for, so another attempt would pay twice.
    const isFinal = call.task !== 'write';
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
