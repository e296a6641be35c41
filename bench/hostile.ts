/** Measures how long legitimate requests take while others send 1,000 hostile requests per second. */
import { Agent, request } from 'undici';
import { type Flooded, sendFlood } from '../test/support/flood/flood.ts';
import { hostileRequests } from '../test/support/flood/hostile-requests.ts';
import { createLimitedKey } from '../test/support/flood/limited-key.ts';
import { type Receiver, startReceiver } from '../test/support/receiver.ts';
import { startStack, type Stack } from '../test/support/stack.ts';
import { type Backends, serversOf } from './backends.ts';
import { median, printFigures, printTimes, summarize } from './figures.ts';
import { atFixedTimes } from './fixed-times.ts';
import { cpuTime } from './processes.ts';

const rounds = 5;
const seconds = 10;
/** Hostile requests per second. */
const perSecond = 1000;
/** Legitimate requests per second. */
const legitimate = { reads: 20, creations: 2.5 };

type Times = Record<keyof typeof legitimate, number[]>;

export async function benchHostile(backends: Backends): Promise<void> {
  const receiver = await startReceiver();
  const stack = await startStack({
    ...serversOf(backends),
    workerEntry: 'test/support/instant-worker.ts',
    env: { ATELIER_RATE_UNAUTHORIZED: '60', ATELIER_TRUSTED_PROXIES: 'loopback' },
  });
  const kinds = hostileRequests(await createLimitedKey(stack));
  const processes = { API: stack.apis[0]?.pid ?? 0, PostgreSQL: backends.postgres.pid };
  const cpu = () => Object.values(processes).map(cpuTime);
  const measure = () => measureLegitimate(stack, receiver);
  const attack = (requests: string[]) => {
    const flood = sendFlood({ baseUrl: stack.baseUrl, perSecond, seconds, requests });
    return Promise.all([measure(), flood]);
  };
  try {
    // The first requests of a process are slow, because it compiles their code.
    await measure();
    await attack(Object.values(kinds).flat());

    const measured: Round[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const rest = await measure();
      const before = cpu();
      const [attacked, flooded] = await attack(Object.values(kinds).flat());
      measured.push({ rest, attacked, flooded, used: cpu().map((value, index) => value - (before[index] ?? 0)) });
    }
    print(measured, Object.keys(processes));

    const single: Record<string, string> = {};
    for (const [kind, requests] of Object.entries(kinds)) {
      const rest = await measure();
      const [attacked] = await attack(requests);
      single[`only ${kind}`] =
        `reads × ${ratio(rest.reads, attacked.reads)}, 202 × ${ratio(rest.creations, attacked.creations)}`;
    }
    console.log('\np95, attack / rest');
    printFigures(single);
  } finally {
    await stack.stop();
    await receiver.close();
  }
}

/** @throws Error when a legitimate request fails */
async function measureLegitimate(stack: Stack, receiver: Receiver): Promise<Times> {
  const dispatcher = new Agent();
  const headers = { authorization: `Bearer ${stack.adminKey}`, 'content-type': 'application/json' };
  const times: Times = { reads: [], creations: [] };
  const read = { method: 'GET', path: '/v2/artworks?limit=20' } as const;
  const body = JSON.stringify({ prompt: 'a lighthouse on a cliff at dusk', webhookUrl: receiver.url });
  const creation = { method: 'POST', path: '/v2/artworks/selena', body } as const;
  const send = async (kind: keyof Times, { path, ...options }: typeof read | typeof creation, due: number) => {
    const response = await request(`${stack.baseUrl}${path}`, { dispatcher, headers, ...options });
    const text = await response.body.text();
    if (response.statusCode > 202) throw new Error(`${response.statusCode} ${text}`);
    times[kind].push(performance.now() - due);
  };
  await Promise.all([
    atFixedTimes(legitimate.reads, seconds, (_nth, due) => send('reads', read, due)),
    atFixedTimes(legitimate.creations, seconds, (_nth, due) => send('creations', creation, due)),
  ]);
  await dispatcher.close();
  return times;
}

interface Round {
  rest: Times;
  attacked: Times;
  flooded: Flooded;
  /** CPU milliseconds of each process during the attack. */
  used: number[];
}

const ratio = (rest: number[], attacked: number[]) => (summarize(attacked).p95 / summarize(rest).p95).toFixed(2);

function print(measured: Round[], processes: string[]): void {
  printTimes({
    'reads, at rest': measured.flatMap(({ rest }) => rest.reads),
    'reads, during the attack': measured.flatMap(({ attacked }) => attacked.reads),
    '202, at rest': measured.flatMap(({ rest }) => rest.creations),
    '202, during the attack': measured.flatMap(({ attacked }) => attacked.creations),
  });
  const ratios = (kind: keyof Times) => {
    const all = measured.map(({ rest, attacked }) => ratio(rest[kind], attacked[kind]));
    return `${median(all.map(Number))} (${all.join(', ')})`;
  };
  const sent = sum(measured.map(({ flooded }) => flooded.sent));
  const statuses = [...new Set(measured.flatMap(({ flooded }) => Object.keys(flooded.statuses)))];
  const count = (status: string) => sum(measured.map(({ flooded }) => flooded.statuses[status] ?? 0));
  const used = (index: number) => (sum(measured.map((round) => round.used[index] ?? 0)) / sent).toFixed(2);
  console.log();
  printFigures({
    'p95 of reads, attack / rest': ratios('reads'),
    'p95 of the 202, attack / rest': ratios('creations'),
    'hostile requests/s': (sent / (measured.length * seconds)).toFixed(0),
    'their responses': statuses.map((status) => `${count(status)} × ${status}`).join(', '),
    'CPU during the attack, per hostile request': processes
      .map((name, index) => `${name} ${used(index)} ms`)
      .join(', '),
  });
}

const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
