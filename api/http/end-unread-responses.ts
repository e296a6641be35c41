/** Ends responses that their clients stop reading, because they may keep a file or a connection to the object storage open. */
import type { RequestHandler } from 'express';
import { noteUnread } from './request-facts.ts';

/**
 * Returns middleware for every response. Progress is a part that the system accepts. For a slow client, these parts are
 * large: about a third of the buffer of the connection, which may have several MB.
 * @param timeout milliseconds without progress; the response ends after up to twice this time
 */
export function endUnreadResponses(timeout = 150_000): RequestHandler {
  return (_request, response, next) => {
    let before = -1;
    const timer = setInterval(() => {
      const { socket } = response;
      // A response without a socket waits for an earlier one on its connection.
      if (!response.headersSent || !socket) return;
      const sent = socket.bytesWritten - socket.writableLength;
      if (sent === before) {
        noteUnread(response);
        response.destroy();
      }
      before = sent;
    }, timeout);
    timer.unref();
    // Many parts of this service listen to the end of a response.
    response.setMaxListeners(20);
    response.once('close', () => clearInterval(timer));
    next();
  };
}
