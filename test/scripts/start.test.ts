/** `npm start` as a whole: it starts the service, restarts processes that die, and leaves none behind. */
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { testFolder } from './folder.ts';
import { alive, npmStart, pidsOf } from './npm-start.ts';

const data = join(testFolder(), 'data');

let running = npmStart(data);
const { demoFile, readDemo } = running;
afterAll(() => void running.child.kill('SIGTERM'));

test('starts the service, and writes its addresses to demo.json', async () => {
  const demo = await running.until(() => existsSync(demoFile) && readDemo(), 60);
  expect(statSync(demoFile).mode & 0o777).toBe(0o600);
  const files = readdirSync(data, { recursive: true, encoding: 'utf8' });
  expect(files).toEqual(expect.arrayContaining(['temporal/temporal.db', 'logs/api.log', 'secret']));
  expect(files.filter((name) => (statSync(join(data, name)).mode & 0o066) !== 0)).toEqual([]);
  expect((await fetch(`${demo.baseUrl}/health`)).status).toBe(200);
  for (const url of await running.until(() => running.output().match(/http:\S+\/metrics/g) ?? false, 10)) {
    expect(await (await fetch(url)).text()).toContain('process_cpu_seconds_total');
  }
  const headers = { authorization: `Bearer ${demo.adminKey}` };
  expect((await fetch(`${demo.baseUrl}/v2/organizations/${demo.orgId}`, { headers })).status).toBe(200);
});

test('refuses a second start with the same folder, and names the pid of the first', async () => {
  const second = npmStart(data);
  expect(await once(second.child, 'close')).toEqual([1, null]);
  expect(second.output()).toMatch(/is in use by pid \d+/);
});

// Within 5 s when the machine has nothing else to do; other tests run beside this one.
test('restarts all processes when all are killed at once', async () => {
  const before = readDemo();
  for (const pid of pidsOf(before)) process.kill(pid, 'SIGKILL');
  const after = await running.until(() => {
    const now = readDemo();
    return pidsOf(now).every((pid) => !pidsOf(before).includes(pid)) && now;
  }, 20);
  await running.until(async () => (await fetch(`${after.baseUrl}/health`).catch(() => null))?.status === 200, 20);
});

test('leaves no process behind when it is killed, and starts again on the same data', async () => {
  const { pids, adminKey } = readDemo();
  const starter = (JSON.parse(readFileSync(join(data, 'lock', 'owner.json'), 'utf8')) as { pid: number }).pid;
  process.kill(starter, 'SIGKILL');
  await once(running.child, 'close');
  await running.until(() => alive([...pids.api, ...pids.worker, pids.temporal, pids.postgres]).length === 0, 30);
  running = npmStart(data);
  expect((await running.ready()).adminKey).toBe(adminKey);
});

test('ends everything on SIGTERM, with exit code 0', async () => {
  const pids = pidsOf(readDemo());
  expect(await running.stop()).toEqual([0, null]);
  expect(alive(pids)).toEqual([]);
  expect(existsSync(demoFile)).toBe(false);
});
