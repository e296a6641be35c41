/** Detects a model's refusal in the format of OpenAI's chat completions. */

/** @param body body of a successful response */
export function isDeclined(body: unknown): boolean {
  const { choices } = Object(body) as { choices?: unknown };
  const first: unknown = Array.isArray(choices) ? choices[0] : null;
  const { message } = Object(first) as { message?: unknown };
  const { refusal } = Object(message) as { refusal?: unknown };
  return typeof refusal === 'string' && refusal !== '';
}
