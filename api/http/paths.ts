/** What a path means before it is routed: without a version prefix it is the V2 path, and what is no encoding stands for itself. */
import type { RequestHandler } from 'express';

export const unversioned: RequestHandler = (request, _response, next) => {
  // A proxy may ask with the whole address.
  request.url = request.url.replace(/^https?:\/\/[^/?]*\/?/i, '/');
  if (!/^\/v\d+(\/|\?|$)/.test(request.url)) request.url = `/v2${request.url}`;
  next();
};

/** Makes an id of a malformed `%ff`, which nothing has: the router would refuse it before anybody asks for the key. */
export const literal: RequestHandler = (request, _response, next) => {
  const { path } = request;
  if (!isEncoded(path)) request.url = path.replaceAll('%', '%25') + request.url.slice(path.length);
  next();
};

function isEncoded(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
