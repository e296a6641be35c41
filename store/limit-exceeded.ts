/** The error of a request that would exceed a limit of its organization. */
import type { Environment } from '../schemas/access.ts';
import type { LimitName } from '../schemas/limits.ts';

interface Exceeded {
  environment: Environment;
  /** The limit. */
  allowed: number;
  /** What is used without the request. */
  used: number;
  /** What the request needs. */
  requested: number;
  /** When the use falls to 0 again; absent when it does not depend on the time. */
  resetsAt?: Date;
}

export class LimitExceeded extends Error {
  override readonly name = 'LimitExceeded';
  readonly limit: LimitName;
  readonly environment: Environment;
  readonly allowed: number;
  readonly used: number;
  readonly requested: number;
  readonly resetsAt: Date | null;

  constructor(limit: LimitName, { environment, allowed, used, requested, resetsAt }: Exceeded) {
    super(`${limit}: ${used} of ${allowed} are used, and ${requested} more are requested`);
    this.limit = limit;
    this.environment = environment;
    this.allowed = allowed;
    this.used = used;
    this.requested = requested;
    this.resetsAt = resetsAt ?? null;
  }
}

/** @param allowed null: no limit. @throws LimitExceeded */
export function requireRoom(
  limit: LimitName,
  { allowed, ...exceeded }: Omit<Exceeded, 'allowed'> & { allowed: number | null },
): void {
  const { used, requested } = exceeded;
  if (allowed !== null && used + requested > allowed) throw new LimitExceeded(limit, { allowed, ...exceeded });
}
