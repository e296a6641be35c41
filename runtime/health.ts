/** The health of a process: whether everything that it depends on responds. */
import { within } from './deadline.ts';
import { version } from './version.ts';

/** Named checks. A check fails when it throws, or when it takes longer than `checkTimeout`. */
export type Checks = Readonly<Record<string, () => Promise<unknown>>>;

type Status = 'ok' | 'unavailable';

export interface Health {
  /** `ok` when all required checks pass. */
  status: Status;
  version: string;
  checks: Record<string, Status>;
}

/** Milliseconds for each check. */
export const checkTimeout = 1000;

/** @param required names of the checks that decide about the status; the others are only reported. Default: all */
export async function checkHealth(checks: Checks, required: readonly string[] = Object.keys(checks)): Promise<Health> {
  const entries = await Promise.all(
    Object.entries(checks).map(async ([name, check]) => [name, await statusOf(check)] as const),
  );
  const status = entries.every(([name, one]) => one === 'ok' || !required.includes(name)) ? 'ok' : 'unavailable';
  return { status, version, checks: Object.fromEntries(entries) };
}

/** Milliseconds for which the health of a process is not checked again, so that many requests cost one check. */
const healthLifetime = 1000;

/** Returns a function that checks the health, at most once per `healthLifetime`. @param now epoch milliseconds */
export function cacheHealth(check: () => Promise<Health>, now: () => number): () => Promise<Health> {
  let known: { until: number; health: Promise<Health> } | null = null;
  return () => {
    if (!known || known.until <= now()) known = { until: now() + healthLifetime, health: check() };
    return known.health;
  };
}

async function statusOf(check: () => Promise<unknown>): Promise<Status> {
  try {
    await within(checkTimeout, check);
    return 'ok';
  } catch {
    return 'unavailable';
  }
}
