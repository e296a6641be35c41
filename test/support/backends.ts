/** A real PostgreSQL and a real Temporal server, in a folder of their own. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onFreePorts } from '../../scripts/local/ports.ts';
import { type Postgres, startPostgres } from '../../scripts/local/postgres.ts';
import { temporalCli } from '../../scripts/local/temporal-cli.ts';
import { startTemporal, type Temporal } from '../../scripts/local/temporal.ts';

export interface Backends {
  folder: string;
  postgres: Postgres;
  temporal: Temporal;
  stop(): Promise<void>;
}

export async function startBackends(): Promise<Backends> {
  const cli = await temporalCli({ progress: throttledProgress() });
  const folder = await mkdtemp(join(tmpdir(), 'atelier-test-'));
  const { started } = await onFreePorts([25432, 27233], '127.0.0.1', async ([port = 0, temporalPort = 0]) => {
    const [postgres, temporal] = await Promise.all([
      startPostgres({
        ...{ dataDir: join(folder, 'postgres'), port, logFile: join(folder, 'postgres.log') },
        createsRoles: true,
      }),
      startTemporal({
        cli,
        dataFile: join(folder, 'temporal.db'),
        port: temporalPort,
        uiPort: null,
        logFile: join(folder, 'temporal.log'),
      }),
    ]);
    return { postgres, temporal };
  });
  return {
    folder,
    ...started,
    async stop() {
      await Promise.all([started.postgres.stop(), started.temporal.stop()]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The first run on a machine builds for minutes; silence would look like a hang. */
export function throttledProgress(): (what: string) => void {
  let saidAt = 0;
  return (what) => {
    if (Date.now() - saidAt < 20_000) return;
    saidAt = Date.now();
    console.error(what);
  };
}
