/** Sends a flood of requests from a process of its own, so that sending it does not delay the requests of this process. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export interface Flood {
  /** The URL of an API on this machine. */
  baseUrl: string;
  perSecond: number;
  seconds: number;
  /** Texts of HTTP requests, sent in turn. `{key}` becomes a random API key, and `{address}` a random IPv4 address. */
  requests: string[];
}

export interface Flooded {
  sent: number;
  /** Number of responses by status. */
  statuses: Record<string, number>;
}

/** Sends a flood. Resolves one second after its last request. */
export async function sendFlood(flood: Flood): Promise<Flooded> {
  const sender = fork(fileURLToPath(new URL('sender.ts', import.meta.url)), {
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  const [[flooded]] = (await Promise.all([
    Promise.race([once(sender, 'message'), once(sender, 'exit').then(ended)]),
    new Promise<void>((resolve, reject) => sender.send(flood, (error) => (error ? reject(error) : resolve()))),
  ])) as [[Flooded], void];
  return flooded;
}

const ended = ([code]: unknown[]) => {
  throw new Error(`The sender of the flood ended with ${String(code)}`);
};
