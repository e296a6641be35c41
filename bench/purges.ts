/** Measures the acceptance of requests while artworks are purged, at the rate of 100,000 in an hour, and without. */
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { Agent, request } from 'undici';
import { startReceiver } from '../test/support/receiver.ts';
import { startStack, type Stack } from '../test/support/stack.ts';
import type { Backends } from './backends.ts';
import { printFigures, printTimes, summarize } from './figures.ts';
import { load } from './load.ts';

const rounds = 2;
const wanted = 100_000 / 3600;
/** Artworks that expire together: their number is that of a minute. */
const expiring = Math.round(60 * wanted);
const clients = 40;
/** Milliseconds. Longer than the creation of the expiring artworks, and a measurement without purges, take together. */
const retention = 180_000;
/** Milliseconds of one measurement. */
const measured = 40_000;
/** Milliseconds between two requests. */
const pace = 125;

export async function benchPurges({ postgres, temporal, folder }: Backends): Promise<void> {
  const receiver = await startReceiver();
  const stack = await startStack({
    databaseUrl: postgres.url,
    temporalAddress: temporal.address,
    folder,
    workerEntry: 'test/support/instant-worker.ts',
    env: { ATELIER_LOG_LEVEL: 'warn', ATELIER_RETENTION: `${retention / 1000}s` },
  });
  const database = new pg.Client(stack.databaseUrl);
  await database.connect();
  const count = async () => {
    const { rows } = await database.query<{ count: string }>('select count(*) as count from artwork');
    return Number(rows[0]?.count);
  };
  const times = { calm: [] as number[], purging: [] as number[] };
  const rates: string[] = [];
  try {
    for (let round = 0; round < rounds; round += 1) {
      const began = performance.now();
      await load(stack, receiver, { count: expiring, atOnce: clients });
      const created = performance.now() - began;
      times.calm.push(...(await accept(stack)));
      // The first tenth of the purges have begun.
      await delay(Math.max(began + retention + created / 10 - performance.now(), 0));
      const before = await count();
      const accepted = await accept(stack);
      times.purging.push(...accepted);
      rates.push((((before + accepted.length - (await count())) / measured) * 1000).toFixed(1));
      await delay(retention);
    }
  } finally {
    await database.end();
    await stack.stop();
    await receiver.close();
  }
  printTimes({ '202, without purges': times.calm, '202, while artworks are purged': times.purging });
  const [calm, purging] = [summarize(times.calm), summarize(times.purging)];
  printFigures({
    'purged/s': `${rates.join(', ')} (${wanted.toFixed(1)} are 100,000 in an hour)`,
    'p50, p99 with purges': `${(purging.p50 / calm.p50).toFixed(2)}, ${(purging.p99 / calm.p99).toFixed(2)} times those without`,
  });
}

/** Sends requests at a steady pace, whatever the responses take. Returns the milliseconds of each to its 202. */
async function accept({ baseUrl, adminKey }: Stack): Promise<number[]> {
  const agent = new Agent({ connections: clients });
  const responses: Promise<number>[] = [];
  const send = async () => {
    const sent = performance.now();
    const { statusCode, body } = await request(`${baseUrl}/v2/artworks/selena`, {
      dispatcher: agent,
      method: 'POST',
      headers: { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ prompt: 'a lighthouse on a cliff at dusk' }),
    });
    await body.dump();
    if (statusCode !== 202) throw new Error(`The response was ${statusCode}`);
    return performance.now() - sent;
  };
  const end = performance.now() + measured;
  while (performance.now() < end) {
    responses.push(send());
    await delay(pace);
  }
  const times = await Promise.all(responses);
  await agent.close();
  return times;
}
