/** Limits the concurrent deliveries to each host and of each organization, so that slow receivers do not delay others. */

interface Limits {
  perHost: number;
  perOrganization: number;
  /** For one organization and host. Lower than `perHost`, so that others keep slots of a host that they share. */
  perRoute: number;
}

/**
 * Fast deliveries. Each is a local activity and occupies one of the worker's workflow task slots. An organization gets a
 * tenth of them (`workers/worker.ts`), and loses little beyond that: a slow delivery takes a few milliseconds longer.
 */
const fastLimits: Limits = { perHost: 8, perOrganization: 20, perRoute: 4 };
/** Slow deliveries. Each occupies one of the worker's activity slots, of which an organization gets a fifth. */
const slowLimits: Limits = { perHost: 20, perOrganization: 40, perRoute: 10 };
/** Milliseconds of a delivery after which its host counts as slow. */
const slowAfter = 1000;
/** Milliseconds for which a host counts as slow. */
const slowFor = 60_000;

interface Slot {
  release(): void;
}

/** The organization of a delivery and its receiver. */
export interface Route {
  org: string;
  /** The host of the URL, with its port. */
  host: string;
}

/** Acquires a slot for an attempt. Returns null when none is free; otherwise the caller must call `release`. */
export type AcquireSlot = (route: Route) => Slot | null;

export interface DeliverySlots {
  /** Refuses hosts that count as slow. */
  fast: AcquireSlot;
  slow: AcquireSlot;
}

export function createDeliverySlots(now: () => number): DeliverySlots {
  const slowUntil = new Map<string, number>();
  const acquireFast = limitAll(fastLimits);
  return {
    fast(route) {
      const { host } = route;
      const until = slowUntil.get(host);
      if (until !== undefined && until <= now()) slowUntil.delete(host);
      const slot = slowUntil.has(host) ? null : acquireFast(route);
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
    slow: limitAll(slowLimits),
  };
}

function limitAll({ perHost, perOrganization, perRoute }: Limits): AcquireSlot {
  const limits = [
    { acquire: limitEach(perOrganization), keyOf: ({ org }: Route) => org },
    { acquire: limitEach(perRoute), keyOf: ({ org, host }: Route) => `${org} ${host}` },
    { acquire: limitEach(perHost), keyOf: ({ host }: Route) => host },
  ];
  return (route) => {
    const slots: Slot[] = [];
    const release = () => slots.forEach((slot) => slot.release());
    for (const { acquire, keyOf } of limits) {
      const slot = acquire(keyOf(route));
      if (!slot) {
        release();
        return null;
      }
      slots.push(slot);
    }
    return { release };
  };
}

/** Returns a function that acquires one of `limit` slots of a key. */
function limitEach(limit: number): (key: string) => Slot | null {
  const running = new Map<string, number>();
  return (key) => {
    const count = running.get(key) ?? 0;
    if (count >= limit) return null;
    running.set(key, count + 1);
    return {
      release() {
        const rest = (running.get(key) ?? 1) - 1;
        if (rest === 0) running.delete(key);
        else running.set(key, rest);
      },
    };
  };
}
