/** Keeps slow receivers from blocking others: a local activity holds one of the worker's workflow task slots. */

/** Tries at once to one host on the fast lane. */
const perHost = 4;
/** Milliseconds after which a receiver counts as slow, and for how long it does. */
const slowAfter = 1000;
const slowFor = 60_000;

export interface Lanes {
  /** @returns null when the host has to take the slow lane; otherwise call `leave` when the try has ended */
  enter(host: string): { leave(): void } | null;
}

export function createLanes(now: () => number): Lanes {
  const running = new Map<string, number>();
  const slowUntil = new Map<string, number>();
  return {
    enter(host) {
      const count = running.get(host) ?? 0;
      const until = slowUntil.get(host);
      if (until !== undefined && until <= now()) slowUntil.delete(host);
      if (count >= perHost || slowUntil.has(host)) return null;
      running.set(host, count + 1);
      const enteredAt = now();
      return {
        leave() {
          const left = (running.get(host) ?? 1) - 1;
          if (left === 0) running.delete(host);
          else running.set(host, left);
          if (now() - enteredAt > slowAfter) slowUntil.set(host, now() + slowFor);
        },
      };
    },
  };
}
