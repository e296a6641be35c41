/** Finds ports that are free, and keeps other starts on this machine from finding the same. */
import { createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { tryLock } from '../lock.mjs';

export interface ClaimedPort {
  readonly port: number;
  /** Without it the claim ends with this process. */
  release(): void;
}

const attempts = 200;

/** Claims the wanted port or the next free one (0: any). No other claim gets it until it is released. */
export async function claimPort(wanted: number, host = '127.0.0.1'): Promise<ClaimedPort> {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const port = wanted === 0 || wanted + attempt > 65_535 ? await anyPort(host) : wanted + attempt;
    const claim = tryLock(join(tmpdir(), `atelier-ports-${userInfo().uid}`, String(port)));
    if (!claim.held) continue;
    if (await isFree(port, host)) return { port, release: claim.release };
    claim.release();
  }
  throw new Error(`None of the ports ${wanted} to ${wanted + attempts - 1} is free on ${host}`);
}

export async function isFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  return (await bind(port, host)) !== null;
}

/** Starts something on claimed ports; when another program was faster with one of them, on the next ones. */
export async function onFreePorts<T>(
  wanted: number[],
  host: string,
  start: (ports: number[]) => Promise<T>,
): Promise<{ started: T; ports: number[] }> {
  for (let attempt = 1; ; attempt += 1) {
    const claims: ClaimedPort[] = [];
    for (const port of wanted) claims.push(await claimPort(port, host));
    const ports = claims.map((claim) => claim.port);
    try {
      return { started: await start(ports), ports };
    } catch (error) {
      const free = await Promise.all(ports.map((port) => isFree(port, host)));
      claims.forEach((claim) => claim.release());
      if (attempt === 5 || !free.includes(false)) throw error;
    }
  }
}

/** Like `onFreePorts` the first time; every later start is on the same ports. */
export function onSamePorts<T>(
  wanted: number[],
  start: (ports: number[], signal: AbortSignal) => Promise<T>,
): (signal: AbortSignal) => Promise<T> {
  let same: number[] | null = null;
  return async (signal) => {
    if (same !== null) return await start(same, signal);
    const { started, ports } = await onFreePorts(wanted, '127.0.0.1', (free) => start(free, signal));
    same = ports;
    return started;
  };
}

async function anyPort(host: string): Promise<number> {
  const port = await bind(0, host);
  if (port === null) throw new Error(`No port can be opened on ${host}`);
  return port;
}

function bind(port: number, host: string): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE' || error.code === 'EACCES') resolve(null);
      else reject(error);
    });
    server.listen({ port, host, exclusive: true }, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : port));
    });
  });
}
