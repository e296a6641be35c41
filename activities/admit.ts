/** Keeps what a provider allows, over all workers together: a call begins when it has a place and its turn has come. */
import { setTimeout as delay } from 'node:timers/promises';
import { EngineError } from '../engines/engine.ts';
import type { Rate } from '../engines/catalogue.ts';
import { admit, type Asked, hold, keepPlace, leavePlace, lease } from '../store/admissions.ts';
import type { Dependencies } from './dependencies.ts';

/** Milliseconds between two looks for a free place. */
const pause = 200;
/** For so long a call looks for a place before it goes back to its queue. */
const patience = 10_000;
/** Milliseconds after which a paused engine is looked at again, at the earliest. */
const pausedFor = 1000;

/**
 * Runs a call when its engine's provider may be called.
 * @throws EngineError `provider_unavailable` while it may not
 */
export async function admitted<Result>(
  deps: Dependencies,
  asked: Asked,
  limits: Rate,
  signal: AbortSignal,
  work: () => Promise<Result>,
): Promise<Result> {
  await turn(deps, asked, limits, signal);
  const beat = limits.concurrent && setInterval(() => void keep(deps, asked), lease / 4);
  try {
    return await work();
  } catch (error) {
    if (error instanceof EngineError && error.retryAfter !== undefined) {
      await hold(deps.db, asked.engine, new Date(deps.now() + error.retryAfter));
    }
    throw error;
  } finally {
    clearInterval(beat);
    if (limits.concurrent) await leavePlace(deps.db, asked).catch(() => undefined);
  }
}

async function turn(deps: Dependencies, asked: Asked, limits: Rate, signal: AbortSignal): Promise<void> {
  const giveUpAt = deps.now() + patience;
  for (;;) {
    const { verdict, wait } = await admit(deps.db, asked, limits);
    switch (verdict) {
      case 'go':
        return wait > 0 ? delay(wait, undefined, { signal }) : undefined;
      case 'full':
        if (deps.now() >= giveUpAt) throw unavailable(`${asked.engine} is at work on as much as it may`, pause);
        await delay(pause, undefined, { signal });
        break;
      case 'paused':
        throw unavailable(`${asked.engine} is paused by the operator`, pausedFor);
      default:
        throw unavailable(`${asked.engine} wants to be left alone for a while`, wait);
    }
  }
}

/** A beat that is missed is made up for by the next. */
const keep = ({ db, now }: Dependencies, asked: Asked) => keepPlace(db, asked, new Date(now())).catch(() => undefined);

const unavailable = (message: string, retryAfter: number) =>
  new EngineError('provider_unavailable', message, { retryAfter });
