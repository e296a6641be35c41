/** Keeps a call within its provider's limits, which all workers share: the call starts when it has a slot and the rate allows the start. */
import { setTimeout as delay } from 'node:timers/promises';
import { EngineError } from '../engines/contract/index.ts';
import type { ProviderLimits } from '../schemas/engines-file.ts';
import { holdEngine, releaseSlot, renewSlot, reserveSlot, slotLease } from '../store/engine-limits.ts';
import type { CallAtEngine } from '../store/jobs.ts';
import type { Dependencies } from './dependencies.ts';
import { CallTaken } from './submission-lease.ts';

/** Milliseconds between two attempts to reserve a slot. */
const pause = 200;
/** Milliseconds after which a call without a slot returns to its queue. `grace` in `begin.ts` includes it. */
const timeout = 60_000;
/** Lower bound of `maxLateness` in milliseconds: shorter delays occur in every process. */
const minLateness = 50;
/** Late starts after which the database's response time no longer counts as lateness. */
const maxLateStarts = 2;

export interface ProviderSlot {
  /**
   * Waits until the call may start; the caller then starts it at once.
   * @param prepare runs once, while the call waits for its start time
   * @throws EngineError `provider_unavailable` while the operator has paused the engine, or its provider has requested a
   * pause
   */
  acquire(prepare: () => Promise<unknown>): Promise<void>;
  /** Takes over the slot of a call whose worker died after it had started the call. */
  resume(): Promise<void>;
  /** Releases the slot. @param error the error of the call, with which the provider may have requested a pause */
  release(error?: unknown): Promise<void>;
}

export function createProviderSlot(
  deps: Dependencies,
  call: CallAtEngine,
  limits: ProviderLimits,
  signal: AbortSignal,
): ProviderSlot {
  let renewal: NodeJS.Timeout | undefined;
  let renewing = Promise.resolve();
  let hasSlot = false;
  let hasStarted = false;
  const start = () => {
    hasStarted = true;
    if (limits.concurrent === undefined) return;
    // The lease outlasts a failed renewal.
    renewal ??= setInterval(() => {
      renewing = renewSlot(deps.db, call).catch(() => undefined);
    }, slotLease / 4);
  };
  return {
    async acquire(prepare) {
      const onReserved = () => (hasSlot = limits.concurrent !== undefined);
      await waitForStart(deps, call, limits, signal, { onReserved, prepare });
      start();
    },
    async resume() {
      hasSlot = limits.concurrent !== undefined;
      if (hasSlot) await renewSlot(deps.db, call);
      start();
    },
    async release(error) {
      clearInterval(renewal);
      await renewing;
      // The attempt that has submitted the call uses the same slot.
      if (hasSlot && !(error instanceof CallTaken)) await releaseSlot(deps.db, call).catch(() => undefined);
      // Only an error of the provider counts, so the call must have started.
      const wait = hasStarted && error instanceof EngineError ? error.retryAfter : undefined;
      // A failure of the database must not replace the provider's error.
      if (wait !== undefined) await holdEngine(deps.db, call.engine, wait).catch(() => undefined);
    },
  };
}

interface Hooks {
  /** Called when the slot is reserved, before the start time. */
  onReserved(): void;
  prepare(): Promise<unknown>;
}

async function waitForStart(
  deps: Dependencies,
  call: CallAtEngine,
  limits: ProviderLimits,
  signal: AbortSignal,
  { onReserved, prepare }: Hooks,
): Promise<void> {
  let prepared: Promise<unknown> | undefined;
  const deadline = deps.now() + timeout;
  let lateStarts = 0;
  // A quarter of the time between two starts.
  const maxLateness = limits.perSecond === undefined ? Infinity : Math.max(250 / limits.perSecond, minLateness);
  for (;;) {
    const requestedAt = performance.now();
    const { verdict, wait } = await reserveSlot(deps.db, call, limits);
    // If the database's response time always counted, a call could never start while the database is slow.
    const startAt = (lateStarts < maxLateStarts ? requestedAt : performance.now()) + wait;
    switch (verdict) {
      case 'go':
        onReserved();
        prepared ??= prepare();
        await Promise.all([prepared, wait > 0 ? delay(wait, undefined, { signal }) : null]);
        // Too late for this start time; take the next one. A late start could be too close to the next call.
        if (performance.now() - startAt < maxLateness) return;
        lateStarts += 1;
        break;
      // Rare, because the call has a permit: another worker has died or was frozen, or runs an earlier release.
      case 'full':
      case 'busy':
        await delay(pause, undefined, { signal });
        break;
      case 'paused':
        throw unavailable(`${call.engine} is paused by the operator`);
      case 'held':
        throw unavailable(`${call.engine} accepts no calls for a while`, wait);
    }
    if (deps.now() >= deadline) throw unavailable(`${call.engine} has no free slot`);
  }
}

/** @param retryAfter milliseconds; without it, the pauses between attempts grow */
const unavailable = (message: string, retryAfter?: number) =>
  new EngineError('provider_unavailable', message, retryAfter === undefined ? {} : { retryAfter });
