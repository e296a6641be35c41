/** Starts the backends of the service, PostgreSQL and Temporal, or checks those that the environment names. */
import type { DatabaseSettings } from '../../runtime/database-settings.ts';
import type { DataFolder } from './data-folder.ts';
import { checkOutsidePostgres, checkOutsideTemporal } from './outside.ts';
import type { Parts } from './parts.ts';
import { onSamePorts } from './ports.ts';
import { startPostgres } from './postgres.ts';
import type { StartSettings } from './settings.ts';
import { temporalCli } from './temporal-cli.ts';
import { startTemporal } from './temporal.ts';
import type { Terminal } from './terminal.ts';

const postgresPort = 5432;
const temporalPort = 7233;
const temporalUiPort = 8233;

export interface Context {
  settings: StartSettings;
  data: DataFolder;
  parts: Parts;
  terminal: Terminal;
  signal: AbortSignal;
}

export async function bringUpPostgres({ settings, data, parts, terminal }: Context): Promise<DatabaseSettings> {
  const outside = settings.database;
  if (outside !== null) {
    await terminal.step(
      'PostgreSQL',
      () => checkOutsidePostgres(outside),
      () => 'PostgreSQL of DATABASE_URL',
    );
    return outside;
  }
  const logFile = data.logFile('postgres');
  const start = onSamePorts([postgresPort], ([port = 0], signal) =>
    startPostgres({ dataDir: data.file('postgres'), port, logFile, signal }),
  );
  const { url } = await terminal.step(
    'PostgreSQL',
    () => parts.add({ name: 'postgres', title: 'PostgreSQL', logFile, start }),
    ({ port }) => `PostgreSQL on port ${port}`,
  );
  return { url, directUrl: url, isPooled: false };
}

export async function bringUpTemporal({
  settings,
  data,
  parts,
  terminal,
  signal,
}: Context): Promise<{ address: string; ui: string | null }> {
  const { temporal: outside, temporalNamespace: namespace } = settings;
  if (outside !== null) {
    const done = `Temporal at ${outside.address}, namespace ${outside.namespace}`;
    const advice = await terminal.step(
      'Temporal',
      () => checkOutsideTemporal(outside),
      () => done,
    );
    if (advice !== null) terminal.line(`! ${advice}`);
    return { address: outside.address, ui: null };
  }
  return await terminal.step(
    'Temporal',
    async (progress) => {
      const cli = await temporalCli({ progress, signal });
      progress('');
      const logFile = data.logFile('temporal');
      const start = onSamePorts([temporalPort, temporalUiPort], ([port = 0, uiPort = 0], attempt) =>
        startTemporal({
          cli,
          dataFile: data.file('temporal', 'temporal.db'),
          port,
          uiPort,
          namespace,
          logFile,
          signal: attempt,
        }),
      );
      return await parts.add({ name: 'temporal', title: 'Temporal', logFile, start });
    },
    ({ address, ui }) => `Temporal at ${address}, UI at ${ui}`,
  );
}
