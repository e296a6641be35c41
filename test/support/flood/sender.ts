/** The process of `sendFlood`: sends requests at fixed times, whatever the server does. */
import { randomBytes, randomInt } from 'node:crypto';
import { createConnection, type Socket } from 'node:net';
import type { Flood, Flooded } from './flood.ts';

/** Connections over which the requests are spread. */
const connections = 50;
/** Milliseconds between two batches. */
const tick = 1;
/** Milliseconds in which the last responses arrive. */
const grace = 1000;

const responded = /HTTP\/1\.1 (\d{3}) /g;
/** Maximum length of an incomplete status line at the end of a chunk. */
const longestRest = 'HTTP/1.1 200'.length;

process.once('message', (flood: Flood) => send(flood));

function send({ baseUrl, perSecond, seconds, requests }: Flood): void {
  const flooded: Flooded = { sent: 0, statuses: {} };
  const { statuses } = flooded;
  const open = () =>
    connect(Number(new URL(baseUrl).port), (status) => (statuses[status] = (statuses[status] ?? 0) + 1));
  const sockets = Array.from({ length: connections }, open);
  const total = perSecond * seconds;
  const began = performance.now();
  const timer = setInterval(() => {
    const due = Math.min(Math.floor(((performance.now() - began) / 1000) * perSecond), total);
    for (; flooded.sent < due; flooded.sent += 1) {
      const index = flooded.sent % connections;
      // The server closes some connections.
      if (sockets[index]?.writable !== true) sockets[index] = open();
      sockets[index]?.write(fill(requests[flooded.sent % requests.length] ?? ''));
    }
    if (due < total) return;
    clearInterval(timer);
    setTimeout(() => process.send?.(flooded, () => process.exit()), grace);
  }, tick);
}

/** @param onResponse receives the status of each response */
function connect(port: number, onResponse: (status: string) => void): Socket {
  const socket = createConnection({ port, host: '127.0.0.1', noDelay: true });
  let rest = '';
  socket.on('data', (chunk) => {
    const text = rest + chunk.toString('latin1');
    let end = 0;
    for (const match of text.matchAll(responded)) {
      onResponse(match[1] ?? '');
      end = match.index + match[0].length;
    }
    rest = text.slice(Math.max(end, text.length - longestRest));
  });
  // A reset connection is closed, and the next request opens another one.
  socket.on('error', () => undefined);
  return socket;
}

const randomKey = () => `atl_${randomBytes(22).toString('hex').slice(0, 43)}`;
const randomAddress = () => Array.from({ length: 4 }, () => randomInt(1, 224)).join('.');

/** Replaces the placeholders of a request. */
const fill = (request: string) => request.replace('{key}', randomKey).replace('{address}', randomAddress);
