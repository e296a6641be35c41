/** Reads the codes in an error response's body, in the formats of OpenAI, of compatible servers and of Google. */
import type { Failure } from './failures.ts';
import { googleCodes } from './google/failures.ts';
import { openaiCodes } from './openai/failures.ts';

export interface ErrorBody {
  /** The status in the body: some gateways respond with status 200 and put the real status there. */
  status: number | undefined;
  /** The failure, where a code is more exact than the status. */
  failure: Failure | undefined;
  /** Seconds as text, like the header's value: Google says in the body when to retry. */
  retryAfter: string | undefined;
}

/** One table for all, because gateways pass on the codes of the provider behind them. */
const codeMeanings: ReadonlyMap<string, Failure> = new Map([...openaiCodes, ...googleCodes]);

export function readErrorBody(body: string | undefined): ErrorBody {
  const error = field(parse(body), 'error');
  const details = list(field(error, 'details'));
  const codes = [
    ...['code', 'type', 'status'].map((name) => field(error, name)),
    field(field(error, 'innererror'), 'code'),
    ...details.map((detail) => field(detail, 'reason')),
  ];
  return {
    status: codes.find((code) => typeof code === 'number' && code >= 400 && code < 600) as number | undefined,
    failure: isFlagged(error) ? 'refused' : isDailyQuota(details) ? 'quota-exceeded' : meaningOf(codes),
    retryAfter: details.map((detail) => seconds(field(detail, 'retryDelay'))).find((wait) => wait !== undefined),
  };
}

function meaningOf(codes: readonly unknown[]): Failure | undefined {
  return codes
    .map((code) => (typeof code === 'string' ? codeMeanings.get(code) : undefined))
    .find((failure) => failure);
}

/** OpenRouter's format. */
const isFlagged = (error: unknown) => field(field(error, 'metadata'), 'flagged_input') !== undefined;

/** Google's status 429 concerns a quota per day, or one per minute, which is soon available again. */
function isDailyQuota(details: readonly unknown[]): boolean {
  const violations = details.flatMap((detail) => list(field(detail, 'violations')));
  const quotas = violations.map((violation) => field(violation, 'quotaId'));
  return quotas.some((quota) => typeof quota === 'string' && quota.includes('PerDay'));
}

function seconds(duration: unknown): string | undefined {
  return typeof duration === 'string' ? /^(\d+(?:\.\d+)?)s$/u.exec(duration)?.[1] : undefined;
}

function parse(body = ''): unknown {
  try {
    return JSON.parse(body) as unknown;
  } catch {
    return undefined;
  }
}

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}
