/** Rewrites paths before routing: adds a missing version prefix, and escapes invalid percent-encoding. */
import type { RequestHandler } from 'express';

/** Treats a path without a version prefix as a V2 path. */
export const addVersionPrefix: RequestHandler = (request, _response, next) => {
  // A proxy may send an absolute URL.
  request.url = request.url.replace(/^https?:\/\/[^/?]*\/?/i, '/');
  if (!/^\/v\d+(\/|\?|$)/.test(request.url)) request.url = `/v2${request.url}`;
  next();
};

/** Escapes every `%` of a path with invalid percent-encoding, which the router would reject before authentication. */
export const escapeInvalidEncoding: RequestHandler = (request, _response, next) => {
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
