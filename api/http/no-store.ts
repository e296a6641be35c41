/** Forbids caches to keep responses, because they contain keys, secrets, prompts and links that need no key. */
import type { RequestHandler } from 'express';

/** Sets a header that a handler can replace, as those of signed image links do. */
export const noStore: RequestHandler = (_request, response, next) => {
  response.set('Cache-Control', 'no-store');
  next();
};
