/** Free ports. */
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { expect, test } from '@jest/globals';
import { claimPort, isFree, onFreePorts } from '../../scripts/local/ports.ts';

async function listen(port = 0): Promise<{ server: Server; port: number }> {
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  return { server, port: (server.address() as AddressInfo).port };
}

test('a taken port is avoided', async () => {
  const { server, port } = await listen();
  const claimed = await claimPort(port);
  expect(claimed.port).toBeGreaterThan(port);
  expect(await isFree(port)).toBe(false);
  claimed.release();
  server.close();
});

test('a claimed port is not given twice, until it is released', async () => {
  const first = await claimPort(24_000);
  const second = await claimPort(first.port);
  expect(second.port).toBeGreaterThan(first.port);
  first.release();
  const third = await claimPort(first.port);
  expect(third.port).toBe(first.port);
  [second, third].forEach((claim) => claim.release());
});

test('when another program takes the port meanwhile, the next one is tried', async () => {
  const thieves: Server[] = [];
  const { started, ports } = await onFreePorts([24_500], '127.0.0.1', async ([port = 0]) => {
    if (thieves.length > 0) return port;
    thieves.push((await listen(port)).server);
    throw new Error('address in use');
  });
  expect(ports).toEqual([started]);
  expect(started).toBeGreaterThan(24_500);
  thieves.forEach((server) => server.close());
});

test('a failure that has nothing to do with ports is not tried again', async () => {
  let tries = 0;
  const failing = onFreePorts([24_700], '127.0.0.1', () => {
    tries += 1;
    return Promise.reject(new Error('broken'));
  });
  await expect(failing).rejects.toThrow('broken');
  expect(tries).toBe(1);
});
