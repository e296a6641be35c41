/** Keeps what a provider allows, over all workers together: a call begins when it has a place and its turn has come. */
import { setTimeout as delay } from 'node:timers/promises';
import { EngineError } from '../engines/engine.ts';
import type { Rate } from '../engines/catalogue.ts';
import { admit, type Asked, hold, keepPlace, leavePlace, lease } from '../store/admissions.ts';
import type { Dependencies } from './dependencies.ts';

/** Milliseconds between two looks for a free place. */
const pause = 200;
/** For so long a call looks for a place before it goes back to its queue. Part of the grace that `begin` gives. */
const patience = 60_000;

export interface Admittance {
  /**
   * Waits until the call may begin. It is then to begin at once.
   * @throws EngineError `provider_unavailable` while its engine is paused, or has no room for longer than one can wait
   */
  enter(): Promise<void>;
  /** For what has begun already, in a worker that died: its place is its own. */
  stay(): Promise<void>;
  /** Gives the place back. @param error what the call has come to, which may say how long to leave the provider alone */
  leave(error?: unknown): Promise<void>;
}

export function admittance(deps: Dependencies, asked: Asked, limits: Rate, signal: AbortSignal): Admittance {
  let beat: NodeJS.Timeout | undefined;
  const keep = () => keepPlace(deps.db, asked, new Date(deps.now()));
  const occupy = () => {
    // A beat that is missed is made up for by the next.
    if (limits.concurrent !== undefined) beat ??= setInterval(() => void keep().catch(() => undefined), lease / 4);
  };
  return {
    async enter() {
      await turn(deps, asked, limits, signal);
      occupy();
    },
    async stay() {
      if (limits.concurrent !== undefined) await keep();
      occupy();
    },
    async leave(error) {
      if (beat) {
        clearInterval(beat);
        await leavePlace(deps.db, asked).catch(() => undefined);
      }
      const wait = error instanceof EngineError ? error.retryAfter : undefined;
      if (wait !== undefined) await hold(deps.db, asked.engine, new Date(deps.now() + wait));
    },
  };
}

async function turn(deps: Dependencies, asked: Asked, limits: Rate, signal: AbortSignal): Promise<void> {
  const giveUpAt = deps.now() + patience;
  for (;;) {
    const { verdict, wait } = await admit(deps.db, asked, limits);
    const due = performance.now() + wait;
    switch (verdict) {
      case 'go':
        if (wait > 0) await delay(wait, undefined, { signal });
        // A process that was held up has missed its turn: together with the next it would be one too many.
        if (limits.perSecond === undefined || performance.now() - due < 500 / limits.perSecond) return;
        break;
      case 'full':
        if (deps.now() >= giveUpAt) throw unavailable(`${asked.engine} is at work on as much as it may`);
        await delay(pause, undefined, { signal });
        break;
      case 'paused':
        throw unavailable(`${asked.engine} is paused by the operator`);
      case 'held':
      case 'busy':
        throw unavailable(`${asked.engine} wants to be left alone for a while`, wait);
    }
  }
}

/** @param retryAfter without, the waits between tries grow as for any engine that is down */
const unavailable = (message: string, retryAfter?: number) =>
  new EngineError('provider_unavailable', message, retryAfter === undefined ? {} : { retryAfter });
