/** Rewrites paths before routing: adds a missing version prefix, and escapes invalid percent-encoding. */
import type { RequestHandler } from 'express';

/** Treats a path without a version prefix as a V2 path. */
export const unversioned: RequestHandler = (request, _response, next) => {
  // A proxy may send an absolute URL.
  request.url = request.url.replace(/^https?:\/\/[^/?]*\/?/i, '/');
  if (!/^\/v\d+(\/|\?|$)/.test(request.url)) request.url = `/v2${request.url}`;
  next();
};

/** Escapes a malformed `%ff`, so that it becomes an unknown id. The router would reject it before authentication. */
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
