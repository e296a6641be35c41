/** Finds free ports and locks them, so that another start on this machine does not choose the same ones. */
import { createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { tryLock } from '../../runtime/lock.mjs';

export interface ClaimedPort {
  readonly port: number;
  /** A claim that is not released ends with this process. */
  release(): void;
}

/** Ports that are checked before a claim fails. */
const attempts = 200;
/** Starts that may lose a claimed port to another program. */
const maxStarts = 5;

/** Claims the wanted port or the next free one; 0 claims any port. No other claim gets the port until it is released. */
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

/** Calls `start` with claimed ports; repeats with the next ones when another program has taken one of them meanwhile. */
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
      if (attempt === maxStarts || !free.includes(false)) throw error;
    }
  }
}

/** Returns a function that starts something on free ports, and later always on the same ports. */
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
