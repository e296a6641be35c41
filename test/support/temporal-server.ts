/** A production Temporal server for tests, on the PostgreSQL of the run. */
import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { readTemporal } from '../../runtime/temporal-settings.ts';
import { waitUntil } from '../../scripts/local/wait-until.ts';
import { registerNamespace } from '../../scripts/temporal-server/namespace.ts';
import { temporalServerPrograms } from '../../scripts/temporal-server/programs.ts';
import {
  startTemporalServer,
  type TemporalServer,
  type TemporalServerOptions,
} from '../../scripts/temporal-server/server.ts';
import { shared } from './shared.ts';

/** Milliseconds for which closed workflows can be read. */
const retention = 24 * 3_600_000;

type Options = Pick<TemporalServerOptions, 'tls' | 'tokenKeys'>;

export interface TestTemporal {
  /** The running server. */
  server: TemporalServer;
  /**
   * Waits until the server accepts requests, and registers the namespace unless it exists.
   * @param env TEMPORAL variables of a client that may do so
   */
  register(env: NodeJS.ProcessEnv): Promise<void>;
  /** Stops the server, and starts it on the same database and the same port. */
  restart(options: Options): Promise<void>;
}

/** Starts a server on databases of its own. The first call on a machine builds it, which takes minutes. */
export async function startTestTemporal(options: Options): Promise<TestTemporal> {
  const { databaseUrl, folder } = shared();
  const name = `temporal_${randomUUID().replaceAll('-', '')}`;
  const own = join(folder, name);
  mkdirSync(own);
  const programs = await temporalServerPrograms();
  const start = (port: number, { tls, tokenKeys }: Options) =>
    startTemporalServer({
      ...{ programs, databaseUrl, database: name, folder: own, logFile: join(own, 'temporal.log'), port },
      ...(tls && { tls }),
      ...(tokenKeys !== undefined && { tokenKeys }),
    });
  const test: TestTemporal = {
    server: await start(21_233, options),
    register: (env) =>
      waitUntil({ name: 'Temporal', child: test.server.child }, () => registerNamespace(readTemporal(env), retention)),
    async restart(changed) {
      const port = Number(test.server.address.split(':')[1]);
      await test.server.stop();
      test.server = await start(port, changed);
    },
  };
  return test;
}
