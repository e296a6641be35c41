/** Keeps the connection of an early response open while the client is still sending: closing it could lose the response. */
import type { Request, Response } from 'express';

/** Milliseconds that the client has to finish or stop sending. */
const timeout = 2000;

/** Keeps the connection open until the client has finished. The caller must call it before it sends the headers. */
export function keepOpenWhileSending(request: Request, response: Response): void {
  const hasBody = request.get('transfer-encoding') !== undefined || Number(request.get('content-length')) > 0;
  if (!hasBody || request.complete) return;
  // With `Connection: close`, Node would close right after the response. The rest of the body is read and dropped.
  response.shouldKeepAlive = true;
  response.once('finish', () => {
    if (request.destroyed) return;
    const { socket } = request;
    const timer = setTimeout(() => socket.destroy(), timeout);
    request.once('end', () => clearTimeout(timer));
    socket.once('close', () => clearTimeout(timer));
    request.resume();
  });
}
