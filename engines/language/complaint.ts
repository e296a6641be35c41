/** What the body of an answer says against us, in the shapes that OpenAI-compatible servers use. Only codes: never its words. */

export interface Complaint {
  /** Some gateways answer 200 and put the HTTP status into the body. */
  status: number | undefined;
  /** Of `error.code`, `error.type` and `error.innererror.code`. */
  codes: readonly string[];
  /** Whether it is about what the content is. */
  isRefusal: boolean;
}

/** OpenAI's, Azure's and OpenRouter's. */
const refusals = new Set([
  'content_policy_violation',
  'content_filter',
  'moderation_blocked',
  'ResponsibleAIPolicyViolation',
]);

export function readComplaint(body: string | undefined): Complaint {
  const error = field(parse(body), 'error');
  const codes = [field(error, 'code'), field(error, 'type'), field(field(error, 'innererror'), 'code')];
  const status = codes.find((code) => typeof code === 'number' && code >= 400 && code < 600);
  const words = codes.filter((code) => typeof code === 'string');
  const isFlagged = field(field(error, 'metadata'), 'flagged_input') !== undefined;
  return {
    status: status as number | undefined,
    codes: words,
    isRefusal: isFlagged || words.some((code) => refusals.has(code)),
  };
}

/** @param body of an answer that is no error: a model may decline in place of its content */
export function isDeclined(body: unknown): boolean {
  const choices = field(body, 'choices');
  const refusal = field(field(Array.isArray(choices) ? choices[0] : null, 'message'), 'refusal');
  return typeof refusal === 'string' && refusal !== '';
}

function parse(body = ''): unknown {
  try {
    return JSON.parse(body) as unknown;
  } catch {
    return undefined;
  }
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}
