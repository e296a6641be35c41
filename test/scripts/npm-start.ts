/** Runs `npm start` as a developer does, with a data folder of its own. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startTimeOf } from '../../runtime/process-identity.mjs';

export interface Demo {
  baseUrl: string;
  orgId: string;
  adminKey: string;
  webhookSecret: string;
  pids: { api: number[]; worker: number[]; temporal: number; postgres: number };
}

export const pidsOf = ({ pids }: Demo) => [...pids.api, ...pids.worker, pids.temporal, pids.postgres];
export const alive = (pids: number[]) => pids.filter((pid) => startTimeOf(pid) !== null);

/** @param data the data folder */
export function npmStart(data: string) {
  const { NODE_OPTIONS: _ours, DATABASE_URL: _url, TEMPORAL_ADDRESS: _address, ...env } = process.env;
  const child = spawn(process.execPath, ['scripts/run.mjs', 'scripts/start.ts'], {
    env: { ...env, ATELIER_DATA: data, PORT: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const demoFile = join(data, 'demo.json');
  const readDemo = () => JSON.parse(readFileSync(demoFile, 'utf8')) as Demo;
  const until = async <T>(what: () => T | false | Promise<T | false>, seconds: number): Promise<T> => {
    const end = Date.now() + seconds * 1000;
    for (;;) {
      const found = await what();
      if (found !== false) return found;
      if (Date.now() > end) throw new Error(`Not within ${seconds} s:\n${output}`);
      await sleep(20);
    }
  };
  return {
    child,
    output: () => output,
    demoFile,
    readDemo,
    /** Repeats `what` until it returns something else than false. @throws Error with the output */
    until,
    /** Resolves when the service runs. */
    ready: () => until(() => output.includes('Atelier is up') && existsSync(demoFile) && readDemo(), 60),
    /** Returns the exit code and the signal. */
    async stop() {
      child.kill('SIGTERM');
      return (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
    },
  };
}
