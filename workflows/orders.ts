/** What clients and operators ask of a running artwork. A signal is only noted down: what waits for it looks there. */
import { CancellationScope, condition, defineSignal, isCancellation, setHandler } from '@temporalio/workflow';
import { orders } from '../schemas/workflow.ts';
import { ignoreCancellation } from './begin.ts';

export interface Orders {
  canceled: boolean;
  removed: boolean;
  /** A try to deliver is wanted that begins after this was set. */
  redelivery: boolean;
}

export function takeOrders(): Orders {
  const taken: Orders = { canceled: false, removed: false, redelivery: false };
  setHandler(defineSignal(orders.cancel), () => void (taken.canceled = true));
  setHandler(defineSignal(orders.remove), () => void (taken.removed = true));
  setHandler(defineSignal(orders.redeliver), () => void (taken.redelivery = true));
  // Whoever presses Cancel in the Temporal UI means the artwork.
  CancellationScope.current().cancelRequested.catch(() => void (taken.canceled = true));
  return taken;
}

/**
 * Does something until it ends or the order comes, which cancels it; its end is waited for in any case.
 * @returns undefined when the order has come
 */
export function unless<T>(ordered: () => boolean, work: () => Promise<T>): Promise<T | undefined> {
  const scope = new CancellationScope();
  return scope.run(async () => {
    void condition(ordered).then(() => scope.cancel(), ignoreCancellation);
    try {
      const result = await work();
      return ordered() ? undefined : result;
    } catch (error) {
      if (ordered() && isCancellation(error)) return undefined;
      throw error;
    }
  });
}
