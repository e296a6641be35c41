/** Ends a process that is not a child of this one: SIGTERM, a wait, then SIGKILL. */
import { setTimeout as sleep } from 'node:timers/promises';
import { startTimeOf } from '../../runtime/process-identity.mjs';

export async function endProcess(pid: number, signal: NodeJS.Signals, seconds = 10): Promise<void> {
  const startTime = startTimeOf(pid);
  const alive = () => startTime !== null && startTimeOf(pid) === startTime;
  for (const [nextSignal, timeout] of [
    [signal, seconds],
    ['SIGKILL', 5],
  ] as const) {
    if (!alive()) return;
    process.kill(pid, nextSignal);
    const until = Date.now() + timeout * 1000;
    while (alive() && Date.now() < until) await sleep(20);
  }
}
