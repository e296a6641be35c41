/** Calls functions of the embedded engines in one thread for each test file, which ends with the file's tests. */
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { afterAll } from '@jest/globals';
import type { Request, Response, Work } from './pixel-thread.ts';

let thread: Worker | undefined;
const open = new Map<number, (response: Response) => void>();

function start(): Worker {
  const started = new Worker(fileURLToPath(new URL('./pixel-thread.ts', import.meta.url)));
  started.on('message', (response: Response) => open.get(response.id)?.(response));
  return started;
}

afterAll(() => thread?.terminate());

let requests = 0;

export function inThread<N extends keyof Work>(name: N) {
  return (...args: Parameters<Work[N]>): Promise<Awaited<ReturnType<Work[N]>>> => {
    thread ??= start();
    const request: Request = { id: requests++, name, args };
    return new Promise((resolve, reject) => {
      open.set(request.id, (response) => {
        open.delete(request.id);
        if ('result' in response) resolve(response.result as Awaited<ReturnType<Work[N]>>);
        else reject(Object.assign(new Error(response.failure.message), response.failure));
      });
      thread?.postMessage(request);
    });
  };
}
