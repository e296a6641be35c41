/** Measures what a key, an `Idempotency-Key` and credits add to the time of a request. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client, request } from 'undici';
import { type Backends, serversOf } from './backends.ts';
import { call } from '../test/support/client.ts';
import { startStack } from '../test/support/stack.ts';
import { printFigures, printTimes, summarize } from './figures.ts';

const warmUp = 100;
const count = 300;
/** Milliseconds between two requests, so that the work for the previous one has ended. */
const pause = 40;

export async function benchCredits(backends: Backends): Promise<void> {
  const prices = join(backends.folder, 'bench-prices.json');
  await writeFile(prices, JSON.stringify({ quantum: { perImage: 1 } }));
  const stack = await startStack({
    ...serversOf(backends),
    workerEntry: 'test/support/instant-worker.ts',
    env: { ATELIER_LOG_LEVEL: 'warn', ATELIER_PRICES: prices },
  });
  const credits = 1_000_000;
  const { body: made } = await call(`${stack.baseUrl}/v2/organizations/${stack.orgId}/api-keys`, {
    method: 'POST',
    key: stack.adminKey,
    body: { label: 'bench', scope: 'generator', domains: ['artworks-internal'], credits },
  });
  const client = new Client(stack.baseUrl);
  const headers = { authorization: `Bearer ${String(made['apiKey'])}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ prompt: 'a lighthouse on a cliff at dusk' });
  const get = (path: string) => request(`${stack.baseUrl}${path}`, { dispatcher: client, headers });
  const post = (path: string, own = {}) =>
    request(`${stack.baseUrl}${path}`, { dispatcher: client, method: 'POST', headers: { ...headers, ...own }, body });
  let nth = 0;
  const variants = {
    'GET, no key needed': () => get('/health/live'),
    'GET, a key': () => get('/v2/artworks/quantum/styles'),
    '202, free': () => post('/v2/artworks/selena'),
    '202, with Idempotency-Key': () => post('/v2/artworks/selena', { 'idempotency-key': `a${++nth}` }),
    '202, with a price': () => post('/v2/artworks/quantum'),
    '202, with both': () => post('/v2/artworks/quantum', { 'idempotency-key': `b${++nth}` }),
    '202, replayed': () => post('/v2/artworks/quantum', { 'idempotency-key': 'again' }),
  };
  const times = Object.fromEntries(Object.keys(variants).map((name) => [name, [] as number[]])) as Record<
    keyof typeof variants,
    number[]
  >;
  try {
    // Interleaved, so that other load on the machine affects all variants.
    for (let round = 0; round < warmUp + count; round++) {
      for (const [name, send] of Object.entries(variants)) {
        const began = performance.now();
        const { statusCode, body } = await send();
        await body.dump();
        const took = performance.now() - began;
        if (statusCode >= 300) throw new Error(`${name}: ${statusCode}`);
        if (round >= warmUp) times[name as keyof typeof variants].push(took);
        await delay(round < warmUp ? 0 : pause);
      }
    }
  } finally {
    await client.close();
    await stack.stop();
  }
  printTimes(times);
  const p50 = (name: keyof typeof variants) => summarize(times[name]).p50;
  const added = (name: keyof typeof variants, to: keyof typeof variants) => p50(name) - p50(to);
  const key = added('GET, a key', 'GET, no key needed');
  const idempotency = added('202, with Idempotency-Key', '202, free');
  console.log();
  printFigures({
    'a key and its limit add': `${key.toFixed(1)} ms (p50)`,
    'Idempotency-Key adds': `${idempotency.toFixed(1)} ms`,
    'all three add': `${(key + idempotency).toFixed(1)} ms`,
    'credits add': `${added('202, with a price', '202, free').toFixed(1)} ms`,
  });
}
