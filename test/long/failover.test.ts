/**
 * The primary of a replicated PostgreSQL dies under load, and its standby takes over: nothing that was accepted is lost.
 * The service follows an address that moves, with and without PgBouncer.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import pg from 'pg';
import { claimPort, onFreePorts } from '../../scripts/local/ports.ts';
import { type PgBouncer, startPgBouncer } from '../../scripts/local/pgbouncer.ts';
import { type Postgres, startPostgres } from '../../scripts/local/postgres.ts';
import { call, create, read } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { type MovingAddress, startMovingAddress } from '../support/moving-address.ts';
import { expectNothingLost } from '../support/nothing-lost.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { type RepeatingClient, startRepeatingClient } from '../support/repeating-client.ts';
import { shared } from '../support/shared.ts';
import { type Stack, startStack } from '../support/stack.ts';
import { timed } from '../support/timed.ts';

jest.setTimeout(300_000);

interface Pair {
  primary: Postgres;
  standby: Postgres;
}

/** Runs a query as the superuser. */
async function asSuperuser<T extends pg.QueryResultRow>({ url }: Postgres, sql: string): Promise<T[]> {
  const own = new URL(url);
  Object.assign(own, { username: 'postgres', pathname: 'postgres' });
  const client = new pg.Client(own.href);
  await client.connect();
  try {
    return (await client.query<T>(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Starts a primary and a standby that confirms each commit. The standby begins as a copy of the stopped primary. */
async function startPair(): Promise<Pair> {
  const folder = mkdtempSync(join(shared().folder, 'pair-'));
  execFileSync('chmod', ['755', folder]);
  const [{ port }, { port: standbyPort }] = await Promise.all([claimPort(25_632), claimPort(25_732)]);
  const start = (name: string, at: number, settings: Record<string, string> = {}) =>
    startPostgres({ dataDir: join(folder, name), port: at, logFile: join(folder, `${name}.log`), settings });
  await (await start('primary', port)).stop();
  execFileSync('cp', ['-a', join(folder, 'primary'), join(folder, 'standby')]);
  const cluster = join(folder, 'standby', 'cluster');
  execFileSync('cp', ['-p', join(cluster, 'PG_VERSION'), join(cluster, 'standby.signal')]);
  const primary = await start('primary', port);
  const { password } = new URL(primary.url);
  const standby = await start('standby', standbyPort, {
    primary_conninfo: `host=127.0.0.1 port=${port} user=postgres password=${password} application_name=standby`,
  });
  await asSuperuser(primary, `alter system set synchronous_standby_names = 'standby'`);
  await asSuperuser(primary, 'select pg_reload_conf()');
  await eventually(async () => {
    const rows = await asSuperuser(primary, 'select state, sync_state from pg_stat_replication');
    expect(rows).toEqual([{ state: 'streaming', sync_state: 'sync' }]);
  });
  return { primary, standby };
}

async function startPooler({ url }: Postgres): Promise<PgBouncer> {
  const folder = mkdtempSync(join(shared().folder, 'pooler-'));
  const { started } = await onFreePorts([26_432], '127.0.0.1', ([port = 0]) =>
    startPgBouncer({ databaseUrl: url, folder, port, logFile: join(folder, 'pgbouncer.log') }),
  );
  return started;
}

describe.each([
  ['an address that moves', false],
  ['PgBouncer', true],
])('through %s', (_name, isPooled) => {
  let primary: Postgres;
  let standby: Postgres;
  let address: MovingAddress;
  let pgbouncer: PgBouncer | undefined;
  let stack: Stack;
  let receiver: Receiver;
  let load: RepeatingClient;

  beforeAll(async () => {
    [receiver, { primary, standby }] = await Promise.all([startReceiver(), startPair()]);
    address = await startMovingAddress(primary.port);
    const url = new URL(primary.url);
    url.port = String(address.port);
    pgbouncer = isPooled ? await startPooler(primary) : undefined;
    stack = await startStack({
      ...{ ...shared(), databaseUrl: url.href, poolerPort: pgbouncer?.port },
      ...{ apis: 2, ...timed({ selena: 1500 }) },
    });
  });
  afterAll(async () => {
    load?.abandon();
    await stack?.stop();
    await pgbouncer?.stop();
    await address?.close();
    await receiver?.close();
    await standby?.stop();
    await primary?.stop();
  });

  const body = () => ({ prompt: 'a boat on a lake', width: 256, height: 256, webhookUrl: receiver.url });
  const post = () => call(`${stack.baseUrl}/v2/artworks/selena`, { method: 'POST', key: stack.adminKey, body: body() });

  async function expectRefused(): Promise<void> {
    const refused = await post();
    expect(refused).toMatchObject({ status: 503, body: { code: 'unavailable' } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  }

  test('requests get 503 between the loss of the primary and the promotion, and then succeed', async () => {
    load = startRepeatingClient(stack, {
      ...{ apiKey: stack.adminKey, atOnce: 4, pause: 100 },
      requests: [{ operation: 'selena', body: body() }],
    });
    await load.more(20);
    const known = load.accepted[0] ?? '';
    // "Immediate" shutdown: without a checkpoint and without a farewell to clients and standby.
    process.kill(primary.pid, 'SIGQUIT');
    await primary.exited;
    await expectRefused();
    // The address leads to the standby before its promotion, as a DNS name may.
    address.switchTo(standby.port);
    pgbouncer?.switchTo(standby.url);
    await eventually(async () => expect((await read(stack, known)).id).toBe(known));
    await expectRefused();
    const promoted = Date.now();
    await asSuperuser(standby, 'select pg_promote()');
    await eventually(async () => expect((await post()).status).toBe(202), 30_000, 100);
    console.info(`creations are accepted ${Date.now() - promoted} ms after the start of the promotion`);
    await load.more(20);
  });

  test('nothing accepted is lost, and each artwork has one event', async () => {
    const ids = await load.stop();
    await expectNothingLost(stack, receiver, ids, { deliveries: 2 });
    const counts = ids.map((id) => receiver.received.filter(({ event }) => event.id === id).length);
    const repeated = counts.filter((count) => count > 1).length;
    console.info(`${ids.length} artworks, ${load.repeated} requests repeated, ${repeated} deliveries repeated`);
    for (const { pid } of [...stack.apis, ...stack.workers]) process.kill(pid, 0);
  });

  test('every API listens at the new primary', async () => {
    await eventually(async () => {
      const rows = await asSuperuser(
        standby,
        `select count(*)::int as apis from pg_stat_activity where application_name = 'atelier-api-listening'`,
      );
      expect(rows).toEqual([{ apis: 2 }]);
    });
    const start = performance.now();
    const waited = await call(`${stack.baseUrl}/v2/artworks/selena`, {
      ...{ method: 'POST', key: stack.adminKey, body: body(), headers: { prefer: 'wait=30' } },
    });
    expect(waited).toMatchObject({ status: 200, body: { status: 'SUCCEEDED' } });
    expect(performance.now() - start).toBeLessThan(10_000);
    await create(stack, body());
  });
});
