/** Ends a process that is not our child: asks, waits, and kills it in the end. */
import { setTimeout as sleep } from 'node:timers/promises';
import { startTimeOf } from '../process-identity.mjs';

export async function endProcess(pid: number, signal: NodeJS.Signals, seconds = 10): Promise<void> {
  const startTime = startTimeOf(pid);
  const alive = () => startTime !== null && startTimeOf(pid) === startTime;
  for (const [by, patience] of [
    [signal, seconds],
    ['SIGKILL', 5],
  ] as const) {
    if (!alive()) return;
    process.kill(pid, by);
    const until = Date.now() + patience * 1000;
    while (alive() && Date.now() < until) await sleep(20);
  }
}
