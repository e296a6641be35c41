/** Restarts of a process that dies. */
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { spawnChild } from '../../scripts/local/child.ts';
import { supervise, type SupervisorEvent } from '../../scripts/local/supervisor.ts';
import type { Child } from '../../scripts/local/child.ts';
import { commandOf } from '../../runtime/process-identity.mjs';
import { testFolder } from './folder.ts';

const logFile = join(testFolder(), 'log');
const sleeper = (signal: AbortSignal) => spawnChild({ command: 'sleep', args: ['60'], logFile, signal });

function watched(start: (signal: AbortSignal) => Promise<Child>) {
  const events: SupervisorEvent<Child>[] = [];
  const waiting: (() => void)[] = [];
  const part = supervise({
    start,
    onEvent: (event) => {
      events.push(event);
      waiting.splice(0).forEach((wake) => wake());
    },
  });
  const until = async (count: number) => {
    while (events.length < count) await new Promise<void>((resolve) => waiting.push(resolve));
    return events;
  };
  return { part, until };
}

test('restarts a killed process immediately, and does not restart a stopped one', async () => {
  const { part, until } = watched(sleeper);
  const first = await part.ready;
  process.kill(first.pid, 'SIGKILL');
  const [, down, up] = await until(3);
  expect(down).toEqual({ kind: 'down', why: 'was ended by SIGKILL', failures: 1 });
  expect(up).toMatchObject({ kind: 'up', restarted: true });
  if (up?.kind !== 'up') throw new Error('it did not come up');
  expect(up.seconds).toBeLessThan(1);
  await part.stop();
  expect(commandOf(up.running.pid)).toBeNull();
  expect(await until(3)).toHaveLength(3);
});

test('restarts a crashing process after growing pauses', async () => {
  const began = performance.now();
  const { part, until } = watched((signal) => spawnChild({ command: 'false', args: [], logFile, signal }));
  const events = await until(6);
  expect(events.at(-1)).toEqual({ kind: 'down', why: 'ended with exit code 1', failures: 3 });
  expect(performance.now() - began).toBeGreaterThan(250);
  await part.stop();
});

test('reports the failure of the first start without another attempt', async () => {
  const { part } = watched(() => Promise.reject(new Error('no such thing')));
  await expect(part.ready).rejects.toThrow('no such thing');
  await part.stop();
});

test('a stop ends a start that is under way', async () => {
  let child: Child | undefined;
  const { part } = watched(async (signal) => {
    child = await sleeper(signal);
    await child.exited;
    throw new Error('ended before it was ready');
  });
  while (child === undefined) await new Promise((resolve) => setTimeout(resolve, 10));
  await part.stop();
  await expect(part.ready).rejects.toThrow('ended before it was ready');
});
