/** Responses of receivers of webhooks and of servers of images, and prompts. */
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { parseRetryAfter } from '../../../activities/delivery-status.ts';
import { createOutbound } from '../../../activities/outbound.ts';
import { findBlockedContent } from '../../../activities/prompt-words.ts';
import { longestPrompt } from '../../../schemas/fields.ts';
import { bytesOf, type Parsers, type Table } from '../parser.ts';

const responses = [
  'HTTP/1.1 429 Too Many Requests\r\nRetry-After: 120\r\nContent-Length: 2\r\n\r\nok',
  'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Type: image/png\r\n\r\n5\r\nhello\r\n0\r\n\r\n',
  'HTTP/1.1 302 Found\r\nLocation: ftp://127.0.0.1/a\r\nContent-Length: 0\r\n\r\n',
  'HTTP/1.0 100 Continue\r\n\r\nHTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n',
];

export const open: Table['open'] = async () => {
  let response = '';
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end(bytesOf(response)));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const outbound = createOutbound(['127.0.0.1']);
  const parsers: Parsers = {
    'the header Retry-After of a receiver': {
      modules: ['activities/delivery-status.ts'],
      examples: ['120', 'Wed, 21 Oct 2026 07:28:00 GMT'],
      parse: (input) => parseRetryAfter(input, 0),
    },
    'the response of a receiver': {
      modules: ['activities/outbound.ts'],
      examples: responses,
      share: 1 / 4,
      parse(input) {
        response = input;
        return outbound.post(url, {}, '{}', { timeout: 5000 });
      },
    },
    'the response of a server of images': {
      modules: ['activities/download.ts'],
      examples: responses,
      // A transient failure is followed by a pause and a second request.
      share: 1 / 20,
      parse(input) {
        response = input;
        return outbound.get(url, { limit: 100_000, timeout: 5000, signal: AbortSignal.timeout(30_000) });
      },
    },
    'a prompt': {
      modules: ['activities/prompt-words.ts'],
      examples: ['a nude colour palette, chicken breasts and blood oranges', 'a severed head', 'ｎｓｆｗ'],
      longest: longestPrompt,
      parse: findBlockedContent,
    },
  };
  return {
    parsers,
    async close() {
      await outbound.close();
      await once(server.close(), 'close');
    },
  };
};
