/** Each process of a cluster is killed and frozen under load: nothing is lost or made twice. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import pg from 'pg';
import sharp from 'sharp';
import { dataUri } from '../../engines/local/test/photos.ts';
import { openAccounts } from '../support/accounts.ts';
import { ended } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { freeze } from '../support/freeze.ts';
import { expectNothingLost } from '../support/nothing-lost.ts';
import { type NpmService, runService } from '../support/npm-service.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { type RepeatingClient, startRepeatingClient } from '../support/repeating-client.ts';
import type { TestKey } from '../support/test-key.ts';

jest.setTimeout(1_200_000);

const price = 10;
const credits = 1_000_000;
let cluster: NpmService;
let receiver: Receiver;
let key: TestKey;
let folder: string;
let image: string;
let load: RepeatingClient;
const accepted: string[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atelier-failures-'));
  const prices = join(folder, 'prices.json');
  await writeFile(prices, JSON.stringify({ selena: { base: price }, upscaling: { base: price } }));
  [cluster, receiver] = await Promise.all([
    runService('cluster', {
      ATELIER_PRICES: prices,
      ATELIER_RATE_CREATIONS: '1000000',
      ATELIER_RATE_OTHERS: '1000000',
    }),
    startReceiver(),
  ]);
  image = dataUri(
    await sharp({ create: { width: 64, height: 64, channels: 3, background: 'green' } })
      .png()
      .toBuffer(),
  );
  const accounts = await openAccounts(cluster);
  key = await accounts.newKey({ credits });
  await accounts.close();
});
afterAll(async () => {
  load?.abandon();
  await cluster.stop();
  await receiver.close();
  await rm(folder, { recursive: true });
});

/** Half of the requests contain an image, which the API stores before it accepts them. */
function startLoad(): RepeatingClient {
  const webhookUrl = receiver.url;
  const requests = [
    { operation: 'selena', body: { prompt: 'a boat on a lake', width: 256, height: 256, webhookUrl } },
    { operation: 'upscaling', body: { image, scale: 2, webhookUrl } },
  ];
  load = startRepeatingClient(cluster, { apiKey: key.apiKey, atOnce: 2, pause: 400, requests });
  return load;
}

async function expectAllEnd(client: RepeatingClient, since: number): Promise<void> {
  const ids = await client.stop();
  accepted.push(...ids);
  // While a worker is frozen, the others may be slower than the load.
  const expected = { deliveries: 2, timeout: 120_000 };
  await expectNothingLost({ ...cluster, adminKey: key.apiKey }, receiver, ids, expected);
  const seconds = ((performance.now() - since) / 1000).toFixed(1);
  console.info(
    `${ids.length} artworks, ${client.repeated} requests repeated; all ended ${seconds} s after the failure`,
  );
}

const processes = ['api-1', 'api-2', 'worker-1', 'worker-2', 'worker-3', 's3', 'temporal', 'pgbouncer', 'postgres'];

test.each(processes)('%s is killed', async (name) => {
  const client = startLoad();
  await client.more(6);
  const since = performance.now();
  const killed = cluster.pid(name);
  process.kill(killed, 'SIGKILL');
  await eventually(() => expect(cluster.pid(name)).not.toBe(killed), 60_000);
  await client.more(6);
  await expectAllEnd(client, since);
});

test.each(['api-1', 'api-2', 'worker-1', 'worker-2'])('%s is frozen: the others do its work', async (name) => {
  const client = startLoad();
  await client.more(6);
  const since = performance.now();
  const resume = freeze(cluster.pid(name));
  try {
    const before = [...client.accepted];
    await client.more(6);
    const other = cluster.baseUrls[name === 'api-1' ? 1 : 0] ?? '';
    for (const id of before) await ended({ baseUrl: other, adminKey: key.apiKey }, id, 60_000);
  } finally {
    resume();
  }
  await expectAllEnd(client, since);
});

test.each(['worker-3', 's3', 'temporal', 'pgbouncer', 'postgres'])('%s is frozen for 10 s', async (name) => {
  const client = startLoad();
  await client.more(6);
  const since = performance.now();
  const resume = freeze(cluster.pid(name));
  await delay(10_000);
  resume();
  await client.more(6);
  await expectAllEnd(client, since);
});

test('afterwards, there is one artwork for each request, paid for once', async () => {
  const sql = new pg.Client(cluster.databaseUrl);
  await sql.connect();
  const { rows } = await sql.query<{ id: string }>(
    `select id from artwork where key_id = $1 and status <> 'ABANDONED' order by id`,
    [key.id],
  );
  await sql.end();
  expect(rows.map(({ id }) => id)).toEqual([...accepted].sort());
  const accounts = await openAccounts(cluster);
  expect(await accounts.balance(key)).toBe(credits - price * accepted.length);
  await accounts.expectConsistent();
  await accounts.close();
});
