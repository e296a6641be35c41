/** Measures the acceptance of requests while artworks are purged, at the rate of 100,000 in an hour, and without. */
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { Agent, request } from 'undici';
import { type Service, startFurtherApi, startStack } from '../test/support/stack.ts';
import { type Backends, serversOf } from './backends.ts';
import { printFigures, printTimes, summarize } from './figures.ts';
import { cpuTime } from './processes.ts';

const rounds = 2;
/** Artworks per second. */
const wanted = 100_000 / 3600;
/** Creations that later expire together, so that each of them may be slower than the purges. */
const batches = 3;
/** Milliseconds of a batch, and of a measurement. */
const span = 40_000;
/** Milliseconds to start the API of a batch. */
const start = 5000;
/** Milliseconds between two requests of a measurement. */
const pace = 125;

export async function benchPurges(backends: Backends): Promise<void> {
  const stack = await startStack({
    ...serversOf(backends),
    workerEntry: 'test/support/instant-worker.ts',
    env: { ATELIER_LOG_LEVEL: 'warn' },
  });
  const database = new pg.Client(stack.databaseUrl);
  await database.connect();
  const count = async () => {
    const { rows } = await database.query<{ count: string }>('select count(*) as count from artwork');
    return Number(rows[0]?.count);
  };
  const processes = [stack.apis[0]?.pid, stack.workers[0]?.pid, backends.postgres.pid, backends.temporal.pid];
  const cpu = () => processes.reduce<number>((sum, pid) => sum + (pid ? cpuTime(pid) : 0), 0);
  // Milliseconds of CPU for a purge; it does not depend on what else the machine does.
  const costs: string[] = [];
  const calm: Responses[] = [];
  const purging: Responses[] = [];
  const rates: string[] = [];
  try {
    await create(stack, span / 4, pace);
    for (let round = 0; round < rounds; round += 1) {
      const expiry = Date.now() + batches * (span + start) + span + start;
      for (let batch = 0; batch < batches; batch += 1) await createExpiring(stack, expiry);
      const idle = cpu();
      calm.push(await create(stack, span, pace));
      const usual = cpu() - idle;
      await delay(Math.max(expiry - Date.now(), 0));
      const [before, busy] = [await count(), cpu()];
      const responses = await create(stack, span, pace);
      const purged = before + responses.accepted.length - (await count());
      purging.push(responses);
      rates.push(((purged / span) * 1000).toFixed(1));
      costs.push(((cpu() - busy - usual) / purged).toFixed(1));
    }
  } finally {
    await database.end();
    await stack.stop();
  }
  const without = calm.flatMap(({ accepted }) => accepted);
  const during = purging.flatMap(({ accepted }) => accepted);
  printTimes({ '202, without purges': without, '202, while artworks are purged': during });
  const [base, loaded] = [summarize(without), summarize(during)];
  const rejected = [calm, purging].map((all) => all.reduce((sum, one) => sum + one.rejected, 0));
  printFigures({
    'purged/s': `${rates.join(', ')} (${wanted.toFixed(1)} are 100,000 in an hour)`,
    'CPU per purge': `${costs.join(', ')} ms, in all processes`,
    'p50, p99 with purges': `${(loaded.p50 / base.p50).toFixed(2)}, ${(loaded.p99 / base.p99).toFixed(2)} times those without`,
    'rejected without, with purges': rejected.join(', '),
  });
}

/** Creates a batch of artworks, the first of which expires at this time. */
async function createExpiring(service: Service, expiry: number): Promise<void> {
  const retention = Math.round((expiry - Date.now() - start) / 1000);
  const api = await startFurtherApi(service, { ATELIER_RETENTION: `${retention}s`, ATELIER_WEBHOOK_SCHEDULE: '0s' });
  try {
    await create(api, span, (batches / wanted) * 1000);
  } finally {
    await api.stop();
  }
}

/** The milliseconds of each request to its 202, and the number of other responses, such as 503 on a busy machine. */
interface Responses {
  accepted: number[];
  rejected: number;
}

/** Sends requests at a steady pace, whatever the responses take. */
async function create({ baseUrl, adminKey }: Service, time: number, pause: number): Promise<Responses> {
  const agent = new Agent({ connections: 40 });
  const send = async () => {
    const sent = performance.now();
    const { statusCode, body } = await request(`${baseUrl}/v2/artworks/selena`, {
      dispatcher: agent,
      method: 'POST',
      headers: { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ prompt: 'a lighthouse on a cliff at dusk' }),
    });
    await body.dump();
    return { took: performance.now() - sent, isAccepted: statusCode === 202 };
  };
  const began = performance.now();
  const responses = Array.from({ length: Math.round(time / pause) }, async (_, nth) => {
    await delay(nth * pause);
    return send();
  });
  const all = await Promise.all(responses);
  await agent.close();
  await delay(Math.max(began + time - performance.now(), 0));
  const accepted = all.filter(({ isAccepted }) => isAccepted).map(({ took }) => took);
  return { accepted, rejected: all.length - accepted.length };
}
