/** Keeps what a provider allows, over all workers together: a call begins when it has a place and its turn has come. */
import { setTimeout as delay } from 'node:timers/promises';
import { EngineError } from '../engines/contract/index.ts';
import type { Rate } from '../engines/catalogue.ts';
import { holdEngine, releaseSlot, renewSlot, reserveSlot, slotLease } from '../store/engine-limits.ts';
import type { CallAtEngine } from '../store/jobs.ts';
import type { Dependencies } from './dependencies.ts';

/** Milliseconds between two looks for a free place. */
const pause = 200;
/** For so long a call looks for a place and a turn before it goes back to its queue. Part of the grace that `begin` gives. */
const patience = 60_000;
/** Milliseconds that a turn may be missed by, at least: less is every process late for. */
const leastLateness = 50;
/** Turns that may be missed because the database was slow to tell of them. */
const mostMissed = 2;

export interface Admittance {
  /**
   * Waits until the call may begin. It is then to begin at once.
   * @param prepare what has to be done before; done once, while it waits for its turn
   * @throws EngineError `provider_unavailable` while its engine is paused, or has no room for longer than one can wait
   */
  enter(prepare: () => Promise<unknown>): Promise<void>;
  /** For what has begun already, in a worker that died: its place is its own. */
  stay(): Promise<void>;
  /** Gives the place back. @param error what the call has come to, which may say how long to leave the provider alone */
  leave(error?: unknown): Promise<void>;
}

export function admittance(deps: Dependencies, asked: CallAtEngine, limits: Rate, signal: AbortSignal): Admittance {
  let beat: NodeJS.Timeout | undefined;
  let beating = Promise.resolve();
  let hasPlace = false;
  let isIn = false;
  const occupy = () => {
    isIn = true;
    if (limits.concurrent === undefined) return;
    // A beat that is missed is made up for by the next.
    beat ??= setInterval(() => {
      beating = renewSlot(deps.db, asked).catch(() => undefined);
    }, slotLease / 4);
  };
  return {
    async enter(prepare) {
      const placed = () => (hasPlace = limits.concurrent !== undefined);
      await turn(deps, asked, limits, signal, { placed, prepare });
      occupy();
    },
    async stay() {
      hasPlace = limits.concurrent !== undefined;
      if (hasPlace) await renewSlot(deps.db, asked);
      occupy();
    },
    async leave(error) {
      clearInterval(beat);
      await beating;
      if (hasPlace) await releaseSlot(deps.db, asked).catch(() => undefined);
      // Only what the provider itself has said: who was never let in has nothing to tell.
      const wait = isIn && error instanceof EngineError ? error.retryAfter : undefined;
      if (wait !== undefined) await holdEngine(deps.db, asked.engine, wait);
    },
  };
}

interface Steps {
  /** A place is taken, which is before the turn comes. */
  placed(): void;
  prepare(): Promise<unknown>;
}

async function turn(
  deps: Dependencies,
  asked: CallAtEngine,
  limits: Rate,
  signal: AbortSignal,
  { placed, prepare }: Steps,
) {
  let prepared: Promise<unknown> | undefined;
  const giveUpAt = deps.now() + patience;
  let missed = 0;
  const lateness = limits.perSecond === undefined ? Infinity : Math.max(250 / limits.perSecond, leastLateness);
  for (;;) {
    const askedAt = performance.now();
    const { verdict, wait } = await reserveSlot(deps.db, asked, limits);
    // A database that is always slow is no reason never to begin.
    const due = (missed < mostMissed ? askedAt : performance.now()) + wait;
    switch (verdict) {
      case 'go':
        placed();
        prepared ??= prepare();
        await Promise.all([prepared, wait > 0 ? delay(wait, undefined, { signal }) : null]);
        // Who was held up, or heard of the turn too late, has missed it: together with the next it would be one too many.
        if (performance.now() - due < lateness) return;
        missed += 1;
        break;
      case 'full':
        await delay(pause, undefined, { signal });
        break;
      case 'paused':
        throw unavailable(`${asked.engine} is paused by the operator`);
      case 'held':
      case 'busy':
        throw unavailable(`${asked.engine} wants to be left alone for a while`, wait);
    }
    if (deps.now() >= giveUpAt) throw unavailable(`${asked.engine} is at work on as much as it may`);
  }
}

/** @param retryAfter without, the waits between tries grow as for any engine that is down */
const unavailable = (message: string, retryAfter?: number) =>
  new EngineError('provider_unavailable', message, retryAfter === undefined ? {} : { retryAfter });
