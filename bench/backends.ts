/** The servers of a benchmark: a local PostgreSQL, and a local Temporal or the one that the environment names. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TemporalConnection } from '../runtime/temporal-settings.ts';
import { checkOutsideTemporal } from '../scripts/local/outside.ts';
import { onFreePorts } from '../scripts/local/ports.ts';
import { type Postgres, startPostgres } from '../scripts/local/postgres.ts';
import { startBackends } from '../test/support/backends.ts';
import type { StackOptions } from '../test/support/stack.ts';

export interface Backends {
  /** A folder of the benchmark's own. */
  folder: string;
  postgres: Postgres;
  /** `pid` is null if the server does not run on this machine. */
  temporal: TemporalConnection & { pid: number | null };
  stop(): Promise<void>;
}

/** Returns the servers as `startStack` takes them. */
export function serversOf({
  postgres,
  temporal,
  folder,
}: Backends): Pick<StackOptions, 'databaseUrl' | 'temporalAddress' | 'folder'> {
  return { databaseUrl: postgres.url, temporalAddress: temporal.address, folder };
}

/** @param outside the Temporal that the environment names; null starts a local one */
export async function startBenchBackends(outside: TemporalConnection | null): Promise<Backends> {
  if (outside === null) {
    const backends = await startBackends();
    const { address, pid } = backends.temporal;
    return { ...backends, temporal: { address, namespace: 'default', tls: false, pid } };
  }
  const advice = await checkOutsideTemporal(outside);
  if (advice !== null) throw new Error(advice);
  const folder = await mkdtemp(join(tmpdir(), 'atelier-bench-'));
  const { started: postgres } = await onFreePorts([25_432], '127.0.0.1', ([port = 0]) =>
    startPostgres({ dataDir: join(folder, 'postgres'), port, logFile: join(folder, 'postgres.log') }),
  );
  return {
    folder,
    postgres,
    temporal: { ...outside, pid: null },
    async stop() {
      await postgres.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
