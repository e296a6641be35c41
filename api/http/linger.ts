/** Answers to clients that are still sending: a connection closed on unread bytes would take the answer away with it. */
import type { Request, Response } from 'express';

/** Milliseconds in which a client can finish sending, or stop, before the connection is closed on it. */
const patience = 2000;

/** Call before the answer's headers are sent. */
export function lingerWhileSending(request: Request, response: Response): void {
  const hasBody = request.get('transfer-encoding') !== undefined || Number(request.get('content-length')) > 0;
  if (!hasBody || request.complete) return;
  // Else Node closes right behind the answer when the client asked for that. What still comes is read and dropped.
  response.shouldKeepAlive = true;
  response.once('finish', () => {
    if (request.destroyed) return;
    const { socket } = request;
    const timer = setTimeout(() => socket.destroy(), patience);
    request.once('end', () => clearTimeout(timer));
    socket.once('close', () => clearTimeout(timer));
    request.resume();
  });
}
