/** Has an engine answer a call in its time; a provider's engine only when its provider may be asked. */
import type { Rate } from '../engines/catalogue.ts';
import {
  type Engine,
  type EngineCall,
  EngineError,
  type EngineResult,
  type Remote,
} from '../engines/contract/index.ts';
import { type Failure, ProviderError } from '../engines/upstream/failures.ts';
import type { CallAtEngine } from '../store/jobs.ts';
import { admittance } from './admit.ts';
import type { Dependencies } from './dependencies.ts';
import { type Standing, standingOf } from './remote.ts';

export interface Run {
  engine: Engine;
  asked: EngineCall;
  of: CallAtEngine;
  /** Milliseconds from when the engine is at work on it. */
  timeout: number;
  /** Of a provider's engine. */
  limits: Rate | undefined;
  signal: AbortSignal;
  /** Epoch milliseconds from which on nothing is submitted any more. */
  until: number | undefined;
  /** Called when the engine gets to work. */
  begun(): Promise<void>;
}

/** @throws EngineError */
export async function run(deps: Dependencies, one: Run): Promise<EngineResult> {
  const time = clock(one.timeout);
  try {
    if (one.limits) return await runAtProvider(deps, one, one.limits, time);
    await one.begun();
    time.start();
    return await runUntil(one, time.over);
  } finally {
    const took = time.stop();
    const labels = { engine: one.of.engine, model: one.asked.model };
    if (took !== null) deps.metrics.engines.observe(labels, took / 1000);
  }
}

/**
 * An answer that came and cannot be read was paid for: so often it is asked for, and no more. A connection that breaks
 * is an outage like others.
 */
const mostSubmissions = 3;
const lostAnswers: readonly Failure[] = ['unreadable', 'response-too-large'];

async function runAtProvider(deps: Dependencies, one: Run, limits: Rate, time: Clock): Promise<EngineResult> {
  const place = admittance(deps, one.of, limits, one.signal);
  const enter = async (prepare: () => Promise<void>) => {
    if (deps.now() >= (one.until ?? Infinity)) throw late(one.engine.name);
    const waited = deps.metrics.admission.startTimer({ engine: one.of.engine });
    await place.enter(() => Promise.all([prepare(), one.begun()])).finally(waited);
    time.start();
  };
  const standing = await standingOf(deps, one.of, { model: one.asked.model, timeout: one.timeout, enter });
  try {
    if (standing.hasJob()) {
      await Promise.all([place.stay(), one.begun()]);
      time.start();
    }
    const answer = await runUntil(one, time.over, standing.remote);
    await place.leave();
    return answer;
  } catch (error) {
    await place.leave(error);
    throw weighed(error, one.asked.task, standing);
  }
}

const late = (engine: string) =>
  new EngineError('provider_unavailable', `${engine} was not available until the deadline`, { isFinal: true });

/** What a failure means for whoever would try again. */
function weighed(error: unknown, task: EngineCall['task'], standing: Standing): unknown {
  if (!(error instanceof EngineError)) return error;
  if (standing.hasJob()) return error.with({ holdsJob: true });
  const isLost = error instanceof ProviderError && lostAnswers.includes(error.failure);
  return isLost && task !== 'write' && standing.submissions() >= mostSubmissions
    ? error.with({ isFinal: true })
    : error;
}

/** @throws EngineError `provider_timeout` when the engine's time is over */
async function runUntil({ engine, asked, signal }: Run, over: AbortSignal, remote?: Remote): Promise<EngineResult> {
  try {
    return await engine.run(asked, { signal: AbortSignal.any([signal, over]), ...(remote && { remote }) });
  } catch (error) {
    if (!over.aborted || signal.aborted) throw error;
    // Pictures may have been paid for, and are not bought again.
    const isFinal = asked.task !== 'write';
    throw new EngineError('provider_timeout', `${engine.name} did not answer in time`, { isFinal });
  }
}

interface Clock {
  /** Aborts when the time is over. */
  over: AbortSignal;
  start(): void;
  /** @returns milliseconds since the start; null when it was never started */
  stop(): number | null;
}

function clock(timeout: number): Clock {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let startedAt = 0;
  return {
    over: controller.signal,
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
