/** Limits the requests that a client sends on one connection before it has received the responses to earlier ones. */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { RequestHandler } from 'express';
import { Problem } from '../../services/problem.ts';

/** Requests that are processed at the same time. Common clients send one at a time. */
const maxInProgress = 16;

/** Requests beyond which the connection is closed, because responses that wait for earlier ones take memory. */
const maxBeforeClosing = 64;

const unfinished = new WeakMap<Socket, Set<ServerResponse>>();

/** Returns the responses of a connection that have not ended, in the order of their requests. */
export function unfinishedOn(socket: Socket): Set<ServerResponse> {
  const responses = unfinished.get(socket) ?? new Set();
  unfinished.set(socket, responses);
  return responses;
}

/**
 * Notes the request, for `limitPipelining` and `unfinishedOn`. Closes the connection of a client that sends a flood of
 * requests: Node passes on up to 1,500 of one packet.
 */
export const closeFloods: RequestHandler = ({ socket }, response, next) => {
  // The rest of a flood.
  if (socket.destroyed) return;
  const responses = unfinishedOn(socket).add(response);
  response.once('close', () => responses.delete(response));
  if (responses.size > maxBeforeClosing) return void socket.destroy();
  next();
};

/** Rejects requests beyond the maximum of their connection. */
export const limitPipelining: RequestHandler = ({ socket }, _response, next) => {
  if (unfinishedOn(socket).size <= maxInProgress) return next();
  const message = `This connection has more than ${maxInProgress} requests without a response. Wait for the responses.`;
  next(new Problem('rate_limited', { message, headers: { 'Retry-After': '1' } }));
};
