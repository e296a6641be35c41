/** Keeps receivers from holding up each other's deliveries: each worker makes a few tries at once to one host. */

/** On the quick lane, where a try is a local activity and holds one of the worker's workflow task slots. */
const quickPerHost = 4;
/** On the slow lane, where it holds one of the worker's activity slots: a hanging host takes none from others. */
const slowPerHost = 10;
/** Milliseconds after which a receiver counts as slow, and for how long it does. */
const slowAfter = 1000;
const slowFor = 60_000;

/** @returns null when the host has to wait; otherwise call `leave` when the try has ended */
export type Enter = (host: string) => { leave(): void } | null;

export interface Lanes {
  /** For hosts that answer fast. */
  quick: Enter;
  slow: Enter;
}

export function createLanes(now: () => number): Lanes {
  const slowUntil = new Map<string, number>();
  const few = bounded(quickPerHost);
  return {
    quick(host) {
      const until = slowUntil.get(host);
      if (until !== undefined && until <= now()) slowUntil.delete(host);
      const place = slowUntil.has(host) ? null : few(host);
      const enteredAt = now();
      return (
        place && {
          leave() {
            place.leave();
            if (now() - enteredAt <= slowAfter) return;
            for (const [other, until] of slowUntil) if (until <= now()) slowUntil.delete(other);
            slowUntil.set(host, now() + slowFor);
          },
        }
      );
    },
    slow: bounded(slowPerHost),
  };
}

function bounded(atOnce: number): Enter {
  const running = new Map<string, number>();
  return (host) => {
    const count = running.get(host) ?? 0;
    if (count >= atOnce) return null;
    running.set(host, count + 1);
    return {
      leave() {
        const left = (running.get(host) ?? 1) - 1;
        if (left === 0) running.delete(host);
        else running.set(host, left);
      },
    };
  };
}
