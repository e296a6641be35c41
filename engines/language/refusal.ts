/** Whether a model has declined in place of its content, as OpenAI's chat completions say it. */

/** @param body of an answer that is no error */
export function isDeclined(body: unknown): boolean {
  const { choices } = Object(body) as { choices?: unknown };
  const first: unknown = Array.isArray(choices) ? choices[0] : null;
  const { message } = Object(first) as { message?: unknown };
  const { refusal } = Object(message) as { refusal?: unknown };
  return typeof refusal === 'string' && refusal !== '';
}
