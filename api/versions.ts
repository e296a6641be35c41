/** A path without a version prefix is the V2 path. */
import type { RequestHandler } from 'express';

export const unversioned: RequestHandler = (request, _response, next) => {
  // A proxy may ask with the whole address.
  request.url = request.url.replace(/^https?:\/\/[^/?]*\/?/i, '/');
  if (!/^\/v\d+(\/|\?|$)/.test(request.url)) request.url = `/v2${request.url}`;
  next();
};
