/** Limits the concurrent deliveries to each host, so that a slow receiver does not delay deliveries to others. */

/** Fast deliveries per host. Each is a local activity and occupies one of the worker's workflow task slots. */
const fastPerHost = 4;
/** Slow deliveries per host. Each occupies one of the worker's activity slots, so one host cannot take all of them. */
const slowPerHost = 10;
/** Milliseconds of a delivery after which its host counts as slow. */
const slowAfter = 1000;
/** Milliseconds for which a host counts as slow. */
const slowFor = 60_000;

/** Acquires a slot for an attempt. Returns null when the host has none; otherwise the caller must call `release`. */
export type AcquireSlot = (host: string) => { release(): void } | null;

export interface DeliverySlots {
  /** Refuses hosts that count as slow. */
  fast: AcquireSlot;
  slow: AcquireSlot;
}

export function createDeliverySlots(now: () => number): DeliverySlots {
  const slowUntil = new Map<string, number>();
  const acquireFast = limitPerHost(fastPerHost);
  return {
    fast(host) {
      const until = slowUntil.get(host);
      if (until !== undefined && until <= now()) slowUntil.delete(host);
      const slot = slowUntil.has(host) ? null : acquireFast(host);
      const acquiredAt = now();
      return (
        slot && {
          release() {
            slot.release();
            if (now() - acquiredAt <= slowAfter) return;
            for (const [other, until] of slowUntil) if (until <= now()) slowUntil.delete(other);
            slowUntil.set(host, now() + slowFor);
          },
        }
      );
    },
    slow: limitPerHost(slowPerHost),
  };
}

function limitPerHost(limit: number): AcquireSlot {
  const running = new Map<string, number>();
  return (host) => {
    const count = running.get(host) ?? 0;
    if (count >= limit) return null;
    running.set(host, count + 1);
    return {
      release() {
        const rest = (running.get(host) ?? 1) - 1;
        if (rest === 0) running.delete(host);
        else running.set(host, rest);
      },
    };
  };
}
