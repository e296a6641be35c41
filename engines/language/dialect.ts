/** Where a server wants its requests otherwise than the rest. */

interface Dialect {
  transformRequestBody?: (body: Record<string, unknown>) => Record<string, unknown>;
}

/** @param isOpenAi whether it is OpenAI itself, whatever the address */
export function dialect({ hostname }: URL, isOpenAi = hostname === 'api.openai.com'): Dialect {
  return isOpenAi ? { transformRequestBody: renameLimit } : {};
}

/** OpenAI's newer models refuse the old name, which is the only one that many other servers know. */
function renameLimit({ max_tokens: limit, ...body }: Record<string, unknown>): Record<string, unknown> {
  return limit === undefined ? body : { ...body, max_completion_tokens: limit };
}
