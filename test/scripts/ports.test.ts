/** Claims of free ports. */
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { expect, test } from '@jest/globals';
import { claimPort, isFree, onFreePorts } from '../../scripts/local/ports.ts';

async function listen(port = 0): Promise<{ server: Server; port: number }> {
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  return { server, port: (server.address() as AddressInfo).port };
}

test('claims another port when the wanted one is taken', async () => {
  const { server, port } = await listen();
  const claimed = await claimPort(port);
  expect(claimed.port).toBeGreaterThan(port);
  expect(await isFree(port)).toBe(false);
  claimed.release();
  server.close();
});

test('does not claim a port again before it is released', async () => {
  const first = await claimPort(24_000);
  const second = await claimPort(first.port);
  expect(second.port).toBeGreaterThan(first.port);
  first.release();
  const third = await claimPort(first.port);
  expect(third.port).toBe(first.port);
  [second, third].forEach((claim) => claim.release());
});

test('uses the next port when another program takes the claimed one', async () => {
  const others: Server[] = [];
  const { started, ports } = await onFreePorts([24_500], '127.0.0.1', async ([port = 0]) => {
    if (others.length > 0) return port;
    others.push((await listen(port)).server);
    throw new Error('address in use');
  });
  expect(ports).toEqual([started]);
  expect(started).toBeGreaterThan(24_500);
  others.forEach((server) => server.close());
});

test('makes no further attempt after a failure that has nothing to do with ports', async () => {
  let attempts = 0;
  const failing = onFreePorts([24_700], '127.0.0.1', () => {
    attempts += 1;
    return Promise.reject(new Error('broken'));
  });
  await expect(failing).rejects.toThrow('broken');
  expect(attempts).toBe(1);
});
