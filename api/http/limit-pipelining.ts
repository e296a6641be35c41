/** Limits the requests that a client sends on one connection before it has received the responses to earlier ones. */
import type { Socket } from 'node:net';
import type { RequestHandler } from 'express';
import { Problem } from '../../services/problem.ts';

/** Requests that are processed at the same time. Common clients send one at a time. */
const maxInProgress = 16;

/** Requests beyond which the connection is closed, because responses that wait for earlier ones take memory. */
const maxBeforeClosing = 64;

/** Requests of each connection whose responses have not ended. */
const inProgress = new WeakMap<Socket, number>();

const countOf = (socket: Socket): number => inProgress.get(socket) ?? 0;

/** Closes the connection of a client that sends a flood of requests. Node passes on up to 1,500 requests of one packet. */
export const closeFloods: RequestHandler = ({ socket }, response, next) => {
  // The rest of a flood.
  if (socket.destroyed) return;
  inProgress.set(socket, countOf(socket) + 1);
  response.once('close', () => inProgress.set(socket, countOf(socket) - 1));
  if (countOf(socket) > maxBeforeClosing) return void socket.destroy();
  next();
};

/** Rejects requests beyond the maximum of their connection. */
export const limitPipelining: RequestHandler = ({ socket }, _response, next) => {
  if (countOf(socket) <= maxInProgress) return next();
  const message = `This connection has more than ${maxInProgress} requests without a response. Wait for the responses.`;
  next(new Problem('rate_limited', { message, headers: { 'Retry-After': '1' } }));
};
