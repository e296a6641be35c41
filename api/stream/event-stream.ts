/** A response of server-sent events that stays open, and is closed when its client stops reading. */
import type { Response } from 'express';

export interface EventStream {
  /** @param text one or more complete events */
  send(text: string): void;
  /** Closes the stream after everything that was sent. */
  end(): void;
  /** Resolves when the stream is closed from either side. */
  closed: Promise<void>;
}

/** Milliseconds before a client reconnects when the connection breaks. */
const reconnect = 2000;

/** Maximum unread bytes. The longest event is a finished artwork of a few kilobytes. */
const maxUnreadBytes = 256 * 1024;

/**
 * Opens the stream of a response.
 * @param heartbeat milliseconds between two heartbeats, and the time that a client has to read earlier events
 */
export function openEventStream(response: Response, heartbeat = 15_000): EventStream {
  response.set({
    'Content-Type': 'text/event-stream',
    'Cache-Control': 'no-store',
    // A proxy that buffers responses would delay the events.
    'X-Accel-Buffering': 'no',
  });
  response.flushHeaders();
  const { promise: closed, resolve: close } = Promise.withResolvers<void>();
  let wasUnread = false;
  const write = (text: string) => {
    if (response.writableEnded || response.destroyed) return;
    if (response.writableLength + Buffer.byteLength(text) > maxUnreadBytes) response.destroy();
    else response.write(text);
  };
  const beat = setInterval(() => {
    const isUnread = response.writableLength > 0;
    if (isUnread && wasUnread) return void response.destroy();
    wasUnread = isUnread;
    write(': still here\n\n');
  }, heartbeat);
  response.once('close', () => {
    clearInterval(beat);
    close();
  });
  write(`retry: ${reconnect}\n\n`);
  return {
    send: write,
    end() {
      // The heartbeat continues, to detect a client that never reads the rest.
      if (!response.writableEnded) response.end();
    },
    closed,
  };
}
