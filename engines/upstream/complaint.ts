/** What the body of an answer says against us, in the shapes of OpenAI, of those who speak like it, and of Google. Only codes: never its words. */
import type { Failure } from './failures.ts';

export interface Complaint {
  /** Some gateways answer 200 and put the HTTP status into the body. */
  status: number | undefined;
  /** Where a code says more than the status. */
  said: Failure | undefined;
  /** Seconds, as a header would hold them: Google says in the body when to come back. */
  retryAfter: string | undefined;
}

const meanings: ReadonlyMap<string, Failure> = new Map([
  // OpenAI's, Azure's and OpenRouter's.
  ['content_policy_violation', 'refused'],
  ['content_filter', 'refused'],
  ['moderation_blocked', 'refused'],
  ['ResponsibleAIPolicyViolation', 'refused'],
  // OpenAI's newer codes for a lack of money all come with this type.
  ['insufficient_quota', 'no-quota'],
  ['billing_hard_limit_reached', 'unpaid'],
  ['model_not_found', 'not-found'],
  // Google: a wrong key is a 400, and so is a free key where there is no free service.
  ['API_KEY_INVALID', 'no-access'],
  ['FAILED_PRECONDITION', 'unpaid'],
]);

/** @param body as it came */
export function readComplaint(body: string | undefined): Complaint {
  const error = field(parse(body), 'error');
  const details = list(field(error, 'details'));
  const codes = [
    ...['code', 'type', 'status'].map((name) => field(error, name)),
    field(field(error, 'innererror'), 'code'),
    ...details.map((detail) => field(detail, 'reason')),
  ];
  return {
    status: codes.find((code) => typeof code === 'number' && code >= 400 && code < 600) as number | undefined,
    said: isFlagged(error) ? 'refused' : isSpent(details) ? 'no-quota' : meaning(codes),
    retryAfter: details.map((detail) => seconds(field(detail, 'retryDelay'))).find((wait) => wait !== undefined),
  };
}

function meaning(codes: readonly unknown[]): Failure | undefined {
  return codes.map((code) => (typeof code === 'string' ? meanings.get(code) : undefined)).find((failure) => failure);
}

/** OpenRouter's. */
const isFlagged = (error: unknown) => field(field(error, 'metadata'), 'flagged_input') !== undefined;

/** Google's 429 is about the day or about the minute, which has passed soon. */
function isSpent(details: readonly unknown[]): boolean {
  const violations = details.flatMap((detail) => list(field(detail, 'violations')));
  return violations.some((violation) => /PerDay/u.test(String(field(violation, 'quotaId'))));
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
