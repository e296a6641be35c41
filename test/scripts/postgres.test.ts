/** The local PostgreSQL: what survives a SIGKILL, and what a killed start leaves behind. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import pg from 'pg';
import { claimPort } from '../../scripts/local/ports.ts';
import { startPostgres, type Postgres } from '../../scripts/local/postgres.ts';
import { testFolder } from './folder.ts';

const folder = testFolder();
const dataDir = join(folder, 'postgres');
const { port } = await claimPort(0);
const start = () => startPostgres({ dataDir, port, logFile: join(folder, 'postgres.log') });

async function query(server: Postgres, text: string): Promise<unknown[]> {
  const client = new pg.Client(server.url);
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end().catch(() => undefined);
  }
}

test('keeps committed data and its address after a SIGKILL', async () => {
  const first = await start();
  await query(first, 'create table kept as select 1 as n');
  process.kill(first.pid, 'SIGKILL');
  expect(await first.exited).toEqual({ code: null, signal: 'SIGKILL' });
  const second = await start();
  expect(second.url).toBe(first.url);
  expect(await query(second, 'select n from kept')).toEqual([{ n: 1 }]);
  await second.stop();
  expect(await second.exited).toEqual({ code: 0, signal: null });
});

test('ends a server that still runs on the folder', async () => {
  const left = await start();
  const next = await start();
  expect(await left.exited).toEqual({ code: 0, signal: null });
  await next.stop();
});

test('starts when postmaster.pid names another program, and does not end that program', async () => {
  const other = spawn('sleep', ['60']);
  await once(other, 'spawn');
  writeFileSync(join(dataDir, 'cluster', 'postmaster.pid'), `${other.pid}\n${dataDir}/cluster\n1\n`);
  const server = await start();
  expect(other.exitCode).toBeNull();
  other.kill();
  await server.stop();
});

test('requires a password, which other users of the machine cannot read', async () => {
  const server = await start();
  expect(statSync(join(dataDir, 'password')).mode & 0o777).toBe(0o600);
  const wrong = new URL(server.url);
  wrong.password = 'wrong';
  await expect(query({ ...server, url: wrong.href }, 'select 1')).rejects.toThrow('password authentication failed');
  expect(await query(server, 'show max_connections')).toEqual([{ max_connections: '200' }]);
  expect(await query(server, 'show server_encoding')).toEqual([{ server_encoding: 'UTF8' }]);
  await server.stop();
});
