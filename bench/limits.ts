/** Measures the time of counting a request of a key: one at a time, and with 40 concurrent requests. */
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { openLimiter } from '../store/limiter.ts';
import { migrate } from '../store/migrate.ts';
import type { Backends } from './backends.ts';
import { printFigures, printTimes } from './figures.ts';

const alone = 2000;
const underLoad = 20_000;
const atOnce = 40;

export async function benchLimits({ postgres }: Backends): Promise<void> {
  const databaseUrl = await emptyDatabase(postgres.url);
  let fallbacks = 0;
  const limiter = openLimiter({ url: databaseUrl }, 'bench', () => (fallbacks += 1));
  const take = async (times: number[]) => {
    const began = performance.now();
    await limiter.increment('others:one');
    times.push(performance.now() - began);
  };
  const run = async (count: number, clients: number) => {
    const times: number[] = [];
    let left = count;
    const client = async () => {
      while (left-- > 0) await take(times);
    };
    const began = performance.now();
    await Promise.all(Array.from({ length: clients }, client));
    return { times, all: performance.now() - began };
  };
  try {
    await run(500, 1);
    const calm = await run(alone, 1);
    const busy = await run(underLoad, atOnce);
    printTimes({ 'counted, at rest': calm.times, [`counted, ${atOnce} at once`]: busy.times });
    printFigures({
      'counted/s of one key': `${((underLoad / busy.all) * 1000).toFixed(0)} (one process)`,
      'counted in memory instead': String(fallbacks),
    });
  } finally {
    await limiter.close();
  }
}

async function emptyDatabase(serverUrl: string): Promise<string> {
  const name = `l${randomUUID().replaceAll('-', '')}`;
  const client = new pg.Client(serverUrl);
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  const url = new URL(serverUrl);
  url.pathname = name;
  await migrate(url.href);
  return url.href;
}
