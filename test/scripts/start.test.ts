/** `npm start` as a whole: it starts the service, restarts processes that die, and leaves none behind. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, test } from '@jest/globals';
import { startTimeOf } from '../../runtime/process-identity.mjs';
import { testFolder } from './folder.ts';

interface Demo {
  baseUrl: string;
  orgId: string;
  adminKey: string;
  pids: { api: number[]; worker: number[]; temporal: number; postgres: number };
}

const data = join(testFolder(), 'data');
const demoFile = join(data, 'demo.json');
const readDemo = () => JSON.parse(readFileSync(demoFile, 'utf8')) as Demo;
const pidsOf = ({ pids }: Demo) => [...pids.api, ...pids.worker, pids.temporal, pids.postgres];
const alive = (pids: number[]) => pids.filter((pid) => startTimeOf(pid) !== null);

function start() {
  const { NODE_OPTIONS: _ours, DATABASE_URL: _url, TEMPORAL_ADDRESS: _address, ...env } = process.env;
  const child = spawn(process.execPath, ['scripts/run.mjs', 'scripts/start.ts'], {
    env: { ...env, ATELIER_DATA: data, PORT: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  return { child, output: () => output };
}

async function until<T>(what: () => T | false | Promise<T | false>, seconds: number): Promise<T> {
  const end = Date.now() + seconds * 1000;
  for (;;) {
    const found = await what();
    if (found !== false) return found;
    if (Date.now() > end) throw new Error(`Not within ${seconds} s:\n${running.output()}`);
    await sleep(20);
  }
}

let running = start();
afterAll(() => void running.child.kill('SIGTERM'));

test('starts the service, and writes its addresses to demo.json', async () => {
  const demo = await until(() => existsSync(demoFile) && readDemo(), 60);
  expect(statSync(demoFile).mode & 0o777).toBe(0o600);
  expect((await fetch(`${demo.baseUrl}/health`)).status).toBe(200);
  for (const url of await until(() => running.output().match(/http:\S+\/metrics/g) ?? false, 10)) {
    expect(await (await fetch(url)).text()).toContain('process_cpu_seconds_total');
  }
  const headers = { authorization: `Bearer ${demo.adminKey}` };
  expect((await fetch(`${demo.baseUrl}/v2/organizations/${demo.orgId}`, { headers })).status).toBe(200);
});

test('refuses a second start with the same folder, and names the pid of the first', async () => {
  const second = start();
  expect(await once(second.child, 'close')).toEqual([1, null]);
  expect(second.output()).toMatch(/is in use by pid \d+/);
});

// Within 5 s when the machine has nothing else to do; other tests run beside this one.
test('restarts all processes when all are killed at once', async () => {
  const before = readDemo();
  for (const pid of pidsOf(before)) process.kill(pid, 'SIGKILL');
  const after = await until(() => {
    const now = readDemo();
    return pidsOf(now).every((pid) => !pidsOf(before).includes(pid)) && now;
  }, 20);
  await until(async () => (await fetch(`${after.baseUrl}/health`).catch(() => null))?.status === 200, 20);
});

test('leaves no process behind when it is killed, and starts again on the same data', async () => {
  const { pids, adminKey } = readDemo();
  const starter = (JSON.parse(readFileSync(join(data, 'lock', 'owner.json'), 'utf8')) as { pid: number }).pid;
  process.kill(starter, 'SIGKILL');
  await once(running.child, 'close');
  await until(() => alive([...pids.api, ...pids.worker, pids.temporal, pids.postgres]).length === 0, 30);
  running = start();
  const again = await until(() => running.output().includes('Atelier is up') && readDemo(), 60);
  expect(again.adminKey).toBe(adminKey);
});

test('ends everything on SIGTERM, with exit code 0', async () => {
  const pids = pidsOf(readDemo());
  running.child.kill('SIGTERM');
  expect(await once(running.child, 'close')).toEqual([0, null]);
  expect(alive(pids)).toEqual([]);
  expect(existsSync(demoFile)).toBe(false);
});
