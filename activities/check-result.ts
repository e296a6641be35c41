/** Checks the images of a result. A failure of the classifier must not lose images that have cost money. */
import { setTimeout as delay } from 'node:timers/promises';
import { type EngineCall, EngineError } from '../engines/contract/index.ts';
import { checkImages } from './content-checks.ts';
import type { Dependencies } from './dependencies.ts';
import { codeOf } from './failures.ts';
import type { EngineOutput } from './run-engine.ts';

/** Attempts to check images that another call of the engine makes again at no cost. */
const maxChecks = 3;
/** Milliseconds for the checks of images that have cost money: a failure of the classifier must not lose them. */
export const checkTimeout = 5 * 60_000;
/** Milliseconds between two checks, at most. */
const longestCheckPause = 5000;

/** @throws EngineError `content_refused`, or a final `internal_error` if paid images could not be checked */
export async function checkResult(
  deps: Dependencies,
  { call, output: { result, isPaidOnce } }: { call: EngineCall; output: EngineOutput },
  signal: AbortSignal,
): Promise<void> {
  const deadline = deps.now() + checkTimeout;
  for (let attempt = 1; ; attempt++) {
    try {
      return await checkImages(deps.catalogue, call, result.images ?? [], signal);
    } catch (error) {
      if (signal.aborted || codeOf(error) === 'content_refused') throw error;
      if (isPaidOnce ? deps.now() >= deadline : attempt >= maxChecks) throw isPaidOnce ? asFinal(error) : error;
    }
    if (isPaidOnce) await delay(Math.min(100 * 2 ** attempt, longestCheckPause), undefined, { signal });
  }
}

const asFinal = (cause: unknown) =>
  new EngineError('internal_error', 'The result could not be checked', { cause, isFinal: true });
