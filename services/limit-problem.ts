/** Explains to a client which limit of its organization a request would exceed. */
import { limitText, type LimitName, organizationLimits } from '../schemas/limits.ts';
import type { LimitExceeded } from '../store/limit-exceeded.ts';
import { limitWindow } from '../store/limiter.ts';
import { Problem } from './problem.ts';

interface Explanation {
  sentence(allowed: string): string;
  /** What the client should do. */
  remedy: string;
  /** Seconds before a retry, if the limit has no end of a period. Default: an hour, because only an action frees room. */
  retryAfter?: number;
}

const wait = 'Wait for the number of seconds in the Retry-After header, then try again.';

const explanations: Record<Exclude<LimitName, 'creditsPerDay' | 'creditsPerMonth'>, Explanation> = {
  creationsPerMinute: {
    sentence: (allowed) => `Too many creations: your organization may send ${allowed} per minute`,
    remedy: wait,
  },
  requestsPerMinute: {
    sentence: (allowed) => `Too many requests: your organization may send ${allowed} per minute besides creations`,
    remedy: wait,
  },
  unfinishedArtworks: {
    sentence: (allowed) => `Too many unfinished artworks: your organization may have ${allowed} at a time`,
    remedy: 'Wait until some of them have ended.',
    retryAfter: 10,
  },
  uploadBytesPerMinute: {
    sentence: (allowed) => `Too many uploaded bytes: your organization may send ${allowed} per minute`,
    remedy: wait,
  },
  storedBytes: {
    sentence: (allowed) => `Too many stored bytes: the uploaded files of your organization may have ${allowed}`,
    remedy: 'Delete files, or wait until they expire.',
  },
  waitingRequests: {
    sentence: (allowed) => `Too many waiting requests: your organization may have ${allowed} at a time`,
    remedy: 'Wait until one has ended, or use webhooks instead of "Prefer: wait".',
    retryAfter: 5,
  },
  streams: {
    sentence: (allowed) => `Too many event streams: your organization may have ${allowed} at a time`,
    remedy: 'Close a stream, or use webhooks.',
    retryAfter: 30,
  },
  keys: {
    sentence: (allowed) => `Too many API keys: your organization may have ${allowed} that can be used`,
    remedy: 'Revoke a key first.',
  },
  styles: {
    sentence: (allowed) => `Too many encoded styles: your organization may have ${allowed}`,
    remedy: 'Delete a style first.',
  },
};

const hour = 3600;

/** Returns a 429 with `Retry-After`, or a 402 for credits. */
export function limitProblem(cause: LimitExceeded, now: Date): Problem {
  const { limit, environment, allowed, resetsAt } = cause;
  if (limit === 'creditsPerDay' || limit === 'creditsPerMonth') return creditProblem(cause);
  const { sentence, remedy, retryAfter = hour } = explanations[limit];
  const text = limitText(organizationLimits[limit].unit, allowed);
  const message = `${sentence(text)} (limit ${limit}, ${environment} keys). ${remedy}`;
  const seconds = resetsAt ? Math.max(Math.ceil((resetsAt.getTime() - now.getTime()) / 1000), 1) : retryAfter;
  const headers = { 'Retry-After': String(seconds), ...(resetsAt && rateHeaders(cause, seconds)) };
  return new Problem('rate_limited', { message, headers, limit, cause });
}

/** The headers of every response describe the limit of the key. Those of this response describe the exceeded one. */
function rateHeaders({ limit, allowed, used }: LimitExceeded, seconds: number): Record<string, string> {
  return {
    'RateLimit-Policy': `"${limit}";q=${allowed};w=${limitWindow}`,
    RateLimit: `"${limit}";r=${Math.max(allowed - used, 0)};t=${seconds}`,
  };
}

function creditProblem(cause: LimitExceeded): Problem {
  const { limit, allowed, used, requested, resetsAt } = cause;
  const period = limit === 'creditsPerDay' ? 'day' : 'month';
  const left = Math.max(allowed - used, 0);
  const message =
    `This request can cost ${requested} credits, and your organization has ${left} left of the ${allowed} that it may ` +
    `spend per ${period} (limit ${limit}). The next ${period} begins at ${resetsAt?.toISOString()}.`;
  return new Problem('insufficient_credits', { message, limit, cause });
}
