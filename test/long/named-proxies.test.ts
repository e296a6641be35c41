/** Caddy, with the configuration of the compose files, and an API behind it: both believe X-Forwarded-For of named proxies only. */
import { readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { caddyProgram } from '../../scripts/local/caddy.ts';
import { spawnChild } from '../../scripts/local/child.ts';
import { claimPort } from '../../scripts/local/ports.ts';
import { eventually } from '../support/eventually.ts';
import { shared, startSharedStack } from '../support/shared.ts';
import type { Stack } from '../support/stack.ts';

// The first run builds Caddy.
jest.setTimeout(900_000);

/** Addresses of this machine: of the balancer, of the named proxies, and of a client that is none. */
const balancer = '127.0.0.1';
const proxies = ['127.0.0.2', '127.0.0.3'];
const client = '127.0.0.9';

let stack: Stack;
let url: string;
const stop: (() => unknown)[] = [];

beforeAll(async () => {
  const trusted = { ATELIER_TRUSTED_PROXIES: ` ${balancer} ${proxies.join(' ')}`, ATELIER_RATE_UNAUTHORIZED: '1' };
  stack = await startSharedStack({ workers: 0, env: trusted });
  url = await startBalancer(proxies.join(' '));
}, 900_000);
afterAll(async () => {
  for (const end of stop) await end();
  await stack?.stop();
});

/** Starts deploy/caddy/Caddyfile with the API of this test. @param named the operator's ATELIER_TRUSTED_PROXIES */
async function startBalancer(named: string): Promise<string> {
  const { port, release } = await claimPort(0);
  const api = new URL(stack.baseUrl).host;
  const file = readFileSync('deploy/caddy/Caddyfile', 'utf8')
    .replace(':3000 {', `:${port} {`)
    .replace(/reverse_proxy \{\s+dynamic a api 3000 \{[^}]*\}/, `reverse_proxy ${api} {`);
  expect(file).toContain(`reverse_proxy ${api}`);
  const path = join(shared().folder, `Caddyfile-${port}`);
  writeFileSync(path, file);
  const caddy = await spawnChild({
    command: await caddyProgram(),
    args: ['run', '--adapter', 'caddyfile', '--config', path],
    env: { PATH: process.env['PATH'], HOME: shared().folder, ATELIER_TRUSTED_PROXIES: named },
    logFile: join(shared().folder, `caddy-${port}.log`),
  });
  stop.push(() => caddy.stop(), release);
  const address = `http://127.0.0.1:${port}`;
  await eventually(async () => expect((await fetch(`${address}/health/live`)).status).toBe(200));
  return address;
}

/** Sends a request without a key. @returns its status: 401 for the first of an address, then 429 */
function send(from: string, forwardedFor: string, to = url): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { 'x-forwarded-for': forwardedFor };
    request(`${to}/v2/usage`, { localAddress: from, headers, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    })
      .on('error', reject)
      .end();
  });
}

test('a client that is no named proxy cannot choose its address', async () => {
  expect(await send(client, '203.0.113.1')).toBe(401);
  expect(await send(client, '203.0.113.2')).toBe(429);
  expect(await send(client, `203.0.113.3, ${proxies[0]}`)).toBe(429);
});

test('a named proxy names its clients, and a client of it cannot choose its address either', async () => {
  const [first = '', second = ''] = proxies;
  expect(await send(first, '203.0.113.11')).toBe(401);
  expect(await send(first, '203.0.113.12')).toBe(401);
  expect(await send(second, '203.0.113.11')).toBe(429);
  expect(await send(first, '198.51.100.1, 203.0.113.12')).toBe(429);
  expect(await send(second, `203.0.113.13, ${first}`)).toBe(401);
  expect(await send(first, '203.0.113.13')).toBe(429);
});

test('without a named proxy, the balancer starts and believes none', async () => {
  const alone = await startBalancer('');
  expect(await send('127.0.0.10', '203.0.113.21', alone)).toBe(401);
  expect(await send('127.0.0.10', '203.0.113.22', alone)).toBe(429);
});
