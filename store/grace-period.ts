/** The grace period of a secret that was replaced. */

/** Returns when a grace period ends that begins now; null when it has no length. */
export function endOfGracePeriod(seconds: number, now: Date): Date | null {
  return seconds > 0 ? new Date(now.getTime() + seconds * 1000) : null;
}
