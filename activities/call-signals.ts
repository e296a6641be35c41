/** The signals that end an attempt of a call. An attempt that Temporal has given up completes a request that costs money. */
import { Context } from '@temporalio/activity';

export interface CallSignals {
  /** Aborts for every reason, also when Temporal has given up this attempt after a lost heartbeat. */
  attempt: AbortSignal;
  /**
   * Aborts when the artwork is canceled or the worker stops. An attempt that Temporal has given up still stores the
   * result that it is waiting for, because the next attempt would pay for it again.
   */
  call: AbortSignal;
  /** Aborts when nobody needs the result any more, because the artwork or its stage has ended. */
  canceled: AbortSignal;
}

/** Returns the signals of the current activity. */
export function callSignals(): CallSignals {
  const context = Context.current();
  const attempt = context.cancellationSignal;
  const call = new AbortController();
  const canceled = new AbortController();
  attempt.addEventListener('abort', () => {
    const { cancelRequested, workerShutdown } = context.cancellationDetails ?? {};
    if (cancelRequested || workerShutdown) call.abort(attempt.reason);
    if (cancelRequested) canceled.abort(attempt.reason);
  });
  return { attempt, call: call.signal, canceled: canceled.signal };
}

/** Returns a signal that aborts some milliseconds after another one. */
export function abortLater(signal: AbortSignal, wait: number): AbortSignal {
  const controller = new AbortController();
  const abort = () => void setTimeout(() => controller.abort(signal.reason), wait).unref();
  if (signal.aborted) abort();
  else signal.addEventListener('abort', abort);
  return controller.signal;
}
