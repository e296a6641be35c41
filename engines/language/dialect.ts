/** Differences between servers in the format of requests. */

interface Dialect {
  transformRequestBody?: (body: Record<string, unknown>) => Record<string, unknown>;
}

/** @param isOpenAi whether the server is OpenAI itself, also behind another address */
export function dialect({ hostname }: URL, isOpenAi = hostname === 'api.openai.com'): Dialect {
  return isOpenAi ? { transformRequestBody: forOpenAi } : {};
}

/** `store` keeps a completion in the account's dashboard; other servers may refuse the field. */
const forOpenAi = (body: Record<string, unknown>) => ({ ...renameLimit(body), store: false });

/** OpenAI's newer models refuse the old name; many other servers support only the old name. */
function renameLimit({ max_tokens: limit, ...body }: Record<string, unknown>): Record<string, unknown> {
  return limit === undefined ? body : { ...body, max_completion_tokens: limit };
}
