/** HTTP below the client libraries of providers: sends each request once, and limits the size of responses. */
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { createSendOnce, explain, type SendOnce } from '../../../engines/upstream/send-once.ts';

let server: Server;
let sendOnce: SendOnce;

async function serve(listener: RequestListener): Promise<string> {
  server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  sendOnce = createSendOnce();
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

afterEach(async () => {
  await sendOnce.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

test('returns the first outcome when a library passes the same request object again', async () => {
  let seen = 0;
  const url = await serve((_, response) => void response.writeHead(++seen === 1 ? 503 : 200).end());
  const init = { method: 'POST', body: '{}' };
  await expect(sendOnce.fetch(url, init)).rejects.toMatchObject({ name: 'ErrorResponse', status: 503 });
  await expect(sendOnce.fetch(url, init)).rejects.toMatchObject({ status: 503 });
  expect(seen).toBe(1);
  expect((await sendOnce.fetch(url, { ...init })).status).toBe(200);
  expect(seen).toBe(2);
});

test('stops reading an endless response', async () => {
  const url = await serve((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const more = () => void response.write(Buffer.alloc(1024 * 1024, ' '), (error) => void (error ?? more()));
    more();
  });
  const error = await sendOnce.fetch(url).catch((failed: unknown) => explain('fal', failed, () => undefined));
  expect(error).toMatchObject({ code: 'provider_rejected', message: 'fal sent too large a response' });
});

test('keeps the status of an error response whose body is incomplete', async () => {
  const url = await serve((_, response) => {
    response.writeHead(429, { 'content-length': 100, 'retry-after': '2' });
    response.write('{"detail":', () => response.socket?.destroy());
  });
  const error = await sendOnce.fetch(url).catch((failed: unknown) => explain('fal', failed, () => undefined));
  expect(error).toMatchObject({ message: 'fal received too many requests (429)', retryAfter: 2000 });
});

test('reads a compressed response', async () => {
  const { gzipSync } = await import('node:zlib');
  const url = await serve((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
    response.end(gzipSync('{"id":"x"}'));
  });
  expect(await (await sendOnce.fetch(url)).json()).toEqual({ id: 'x' });
});
