/** Restarts of a process that dies. */
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { type Child, type Running, spawnChild } from '../../scripts/local/child.ts';
import { supervise, type SupervisorEvent } from '../../scripts/local/supervisor.ts';
import { commandOf } from '../../runtime/process-identity.mjs';
import { testFolder } from './folder.ts';

const logFile = join(testFolder(), 'log');
const sleeper = (signal: AbortSignal) => spawnChild({ command: 'sleep', args: ['60'], logFile, signal });

function watched<R extends Running>(start: (signal: AbortSignal) => Promise<R>) {
  const events: SupervisorEvent<R>[] = [];
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

/** Starts a process that drains for a second when `drain` is called, then processes that stay. */
function drainsFirst() {
  const { promise, resolve: drain } = Promise.withResolvers<void>();
  let starts = 0;
  const watch = watched(async (signal) => {
    starts += 1;
    const child = await spawnChild({ command: 'sleep', args: [starts === 1 ? '1' : '60'], logFile, signal });
    return starts === 1 ? { ...child, draining: promise } : child;
  });
  return { ...watch, drain };
}

test('starts the next process while one drains, whose end with 0 is not a failure', async () => {
  const { part, until, drain } = drainsFirst();
  const first = await part.ready;
  drain();
  const [, draining, up, drained] = await until(4);
  expect(draining).toEqual({ kind: 'draining', running: first });
  expect(up).toMatchObject({ kind: 'up', restarted: true });
  expect(drained).toEqual({ kind: 'drained', running: first, why: null });
  await part.stop();
});

test('reports a process that drains and is killed', async () => {
  const { part, until, drain } = drainsFirst();
  const first = await part.ready;
  drain();
  await until(3);
  process.kill(first.pid, 'SIGKILL');
  expect((await until(4)).at(-1)).toEqual({ kind: 'drained', running: first, why: 'was ended by SIGKILL' });
  await part.stop();
});

test('a stop awaits a process that drains without sending it another signal, unless the signal is SIGKILL', async () => {
  for (const [how, exit] of [
    [undefined, { code: 0, signal: null }],
    [{ signal: 'SIGKILL' }, { code: null, signal: 'SIGKILL' }],
  ] as const) {
    const { part, until, drain } = drainsFirst();
    const first = await part.ready;
    drain();
    await until(3);
    await part.stop(how);
    expect(commandOf(first.pid)).toBeNull();
    expect(await first.exited).toEqual(exit);
  }
});
