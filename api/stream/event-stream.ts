/** An answer that stays open for server-sent events, costs little while nothing happens, and is cut off when nobody reads it. */
import type { Response } from 'express';

export interface EventStream {
  /** @param text whole events */
  send(text: string): void;
  /** Closes it behind what was sent. */
  end(): void;
  /** Resolves when it is closed, by whomever. */
  closed: Promise<void>;
}

/** Milliseconds after which a client comes back when the connection breaks. */
const reconnect = 2000;

/** Bytes that may wait for a reader. The longest event is a finished artwork, of some kilobytes. */
const mostUnread = 256 * 1024;

/** @param heartbeat milliseconds between two of them; so long a reader may also leave what was sent unread */
export function openEventStream(response: Response, heartbeat = 15_000): EventStream {
  response.set({
    'Content-Type': 'text/event-stream',
    'Cache-Control': 'no-store',
    // A proxy that collects answers would hold the events back.
    'X-Accel-Buffering': 'no',
  });
  response.flushHeaders();
  const { promise: closed, resolve: close } = Promise.withResolvers<void>();
  let wasUnread = false;
  const write = (text: string) => {
    if (response.writableEnded || response.destroyed) return;
    if (response.writableLength + Buffer.byteLength(text) > mostUnread) response.destroy();
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
      // From here on heartbeats only watch for a reader that never takes the rest.
      if (!response.writableEnded) response.end();
    },
    closed,
  };
}
