/** The signals that a running artwork receives. A handler only sets a flag; the code that waits for a signal reads it. */
import { CancellationScope, defineSignal, setHandler } from '@temporalio/workflow';
import { signals } from '../schemas/workflow.ts';

export interface ReceivedSignals {
  cancel: boolean;
  remove: boolean;
  /** Whether a redelivery is due. Reset when the redelivery starts. */
  redeliver: boolean;
}

export function receiveSignals(): ReceivedSignals {
  const received: ReceivedSignals = { cancel: false, remove: false, redeliver: false };
  setHandler(defineSignal(signals.cancel), () => void (received.cancel = true));
  setHandler(defineSignal(signals.remove), () => void (received.remove = true));
  setHandler(defineSignal(signals.redeliver), () => void (received.redeliver = true));
  // Cancelling the workflow in the Temporal UI cancels the artwork.
  CancellationScope.current().cancelRequested.catch(() => void (received.cancel = true));
  return received;
}
