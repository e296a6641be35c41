/** Ends a response that its client stops reading, because it may keep a file or a connection to the object storage open. */
import type { RequestHandler } from 'express';
import { noteDecision } from './request-facts.ts';

/**
 * Returns middleware for every response. Node's timer restarts with every part of a response that the system accepts.
 * For a slow client, these parts are large: about a third of the buffer of the connection, which may have several MB.
 * @param timeout milliseconds without progress; the response ends after up to twice this time
 */
export function requireProgress(timeout = 150_000): RequestHandler {
  return (_request, response, next) => {
    response.setTimeout(timeout, () => {
      // Before its headers, a response waits for us. The timer restarts when they are sent.
      if (!response.headersSent) return;
      noteDecision(response, 'unread');
      response.destroy();
    });
    next();
  };
}
