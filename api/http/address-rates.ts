/**
 * Counts requests without a valid key by client address, in the memory of each process. A query per request would add to
 * the load that the count limits.
 */
import { limitWindow, type WindowCount } from '../../store/limiter.ts';

/** Maximum addresses in memory, which take about 15 MB. */
const maxAddresses = 100_000;

export interface AddressRates {
  /** Counts a request. @param network as `networkOf` returns it */
  increment(network: string): WindowCount;
}

/** @param now returns monotonic milliseconds; default: `performance.now()` */
export function createAddressRates(now: () => number = () => performance.now()): AddressRates {
  /** In the order in which their windows end. */
  const windows = new Map<string, { count: number; endsAt: number }>();
  const add = (network: string, at: number) => {
    for (const [first, { endsAt }] of windows) {
      if (endsAt > at && windows.size < maxAddresses) break;
      windows.delete(first);
    }
    const window = { count: 0, endsAt: at + limitWindow * 1000 };
    windows.set(network, window);
    return window;
  };
  return {
    increment(network) {
      const at = now();
      const known = windows.get(network);
      if (known && known.endsAt <= at) windows.delete(network);
      const window = known && known.endsAt > at ? known : add(network, at);
      window.count += 1;
      return { count: window.count, left: window.endsAt - at };
    },
  };
}
