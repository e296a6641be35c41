/** Limits the connections of an HTTP server, and the time that a client has for the headers of a request. */
import type { Server, ServerOptions } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Logger } from './log.ts';

/** Options of a server: clients have 20 to 25 seconds to connect and send the headers of a request. */
export const headerDeadline = { headersTimeout: 20_000, connectionsCheckingInterval: 5000 } satisfies ServerOptions;

/** Milliseconds between two log lines about rejected connections. */
const logInterval = 10_000;

/** Files that a process needs for everything but connections of clients: the code, PostgreSQL, Temporal, images, uploads. */
const otherFiles = 1000;

/** Returns the maximum of connections: `wanted`, or fewer if the process may not open enough files. */
export function affordableConnections(wanted: number, openFiles = maxOpenFiles()): number {
  return Math.min(wanted, Math.max(openFiles - otherFiles, Math.floor(openFiles / 2)));
}

/** Returns the maximum of files that this process may open. Node has raised it to the hard limit (`ulimit -Hn`). */
function maxOpenFiles(): number {
  // Otherwise, it looks up the names of connected addresses, which can take seconds. Node's types do not have it.
  Object.assign(process.report, { excludeNetwork: true });
  const { userLimits } = process.report.getReport() as { userLimits: { open_files: { soft: number | 'unlimited' } } };
  const { soft } = userLimits.open_files;
  return soft === 'unlimited' ? Infinity : soft;
}

interface Options {
  max: number;
  log: Logger;
  /** Is called for each rejected connection. */
  onReject?(): void;
}

/** Rejects connections beyond a maximum, because they would use up the memory and the files of the process. */
export function limitConnections(server: Server, { max, log, onReject }: Options): void {
  server.maxConnections = max;
  let rejected = 0;
  const report = () => {
    const { port } = (server.address() ?? {}) as Partial<AddressInfo>;
    log.warn({ port, max, rejected }, 'Rejected connections, because the maximum was reached');
    rejected = 0;
  };
  server.on('drop', () => {
    rejected += 1;
    onReject?.();
    if (rejected === 1) setTimeout(report, logInterval).unref();
  });
}
