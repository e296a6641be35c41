/** The system under faults: the service, its providers, the receiver of its webhooks, and one paying client. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { openTestDatabase } from '../support/open-database.ts';
import { type Form, type NpmService, runService } from '../support/npm-service.ts';
import { createTestKey, type TestKey } from '../support/test-key.ts';
import { type Providers, startProviders } from './providers.ts';
import type { Random } from './random.ts';
import { startUnreliableReceiver, type UnreliableReceiver } from './unreliable-receiver.ts';

export interface System {
  form: Form;
  service: NpmService;
  providers: Providers;
  receiver: UnreliableReceiver;
  /** The key of the client, which pays for its artworks. */
  key: TestKey;
  /** When a worker that calls providers was killed, in epoch milliseconds. One that is stopped completes its calls. */
  workerDeaths: number[];
  stop(): Promise<void>;
}

/** Credits that the client's key begins with. */
export const credits = 1_000_000;
/** The price of an operation in credits, whatever it makes. */
export const price = 10;

export interface Settings {
  retention: string;
  webhookSchedule: string;
}

interface Options extends Settings {
  form: Form;
  /** The folder of the engines file and the price list. */
  folder: string;
  random: Random;
}

const pricedOperations = ['selena', 'quantum', 'hamilton', 'upscaling', 'textcraft'];

export async function startSystem(options: Options): Promise<System> {
  const { form, folder, random } = options;
  const [providers, receiver] = await Promise.all([startProviders(folder, random), startUnreliableReceiver()]);
  const closeOurs = async () => void (await Promise.all([providers.close(), receiver.close()]));
  try {
    const prices = join(folder, 'prices.json');
    await writeFile(
      prices,
      JSON.stringify(Object.fromEntries(pricedOperations.map((name) => [name, { base: price }]))),
    );
    const service = await runService(form, {
      ...providers.env,
      ATELIER_PRICES: prices,
      ATELIER_RETENTION: options.retention,
      ATELIER_WEBHOOK_SCHEDULE: options.webhookSchedule,
      ATELIER_RATE_CREATIONS: '1000000',
      ATELIER_RATE_OTHERS: '1000000',
    });
    const key = await newKey(service);
    const stop = async () => {
      await service.stop();
      await closeOurs();
    };
    return { form, service, providers, receiver, key, workerDeaths: [], stop };
  } catch (error) {
    await closeOurs();
    throw error;
  }
}

async function newKey({ databaseUrl, orgId }: NpmService): Promise<TestKey> {
  const db = openTestDatabase(databaseUrl);
  try {
    return await createTestKey(db, { orgId, credits });
  } finally {
    await db.close();
  }
}

/** Runs statements as the administrator of PostgreSQL. */
export async function withSql<T>(
  { service }: Pick<System, 'service'>,
  use: (sql: pg.Client) => Promise<T>,
): Promise<T> {
  const sql = new pg.Client({ connectionString: service.databaseUrl, connectionTimeoutMillis: 5000 });
  // The server may end during a statement, which then fails by itself.
  sql.on('error', () => undefined);
  try {
    await sql.connect();
    return await use(sql);
  } finally {
    await sql.end().catch(() => undefined);
  }
}
