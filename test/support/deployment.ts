/** A deployment that a test can destroy and restore: the service and its backends, one of them one PostgreSQL server. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { workers as rolesOfWorkers } from '../../scripts/cluster/processes.ts';
import { secret } from './database.ts';
import { type Backend, type DeploymentBackends, prepareBackends } from './deployment-backends.ts';
import { type PageCommands, runCommands } from './page-commands.ts';
import { shared } from './shared.ts';
import { type Stack, startStack } from './stack.ts';

export interface Deployment extends Omit<DeploymentBackends, 'databaseUrl' | 'env' | 'running'> {
  /** Its processes are two APIs and three workers. */
  stack: Stack;
  /** Runs commands with the environment of the service. Returns their output. */
  asService(script: string): Promise<string>;
  /** Kills all processes of the service and these backends, and deletes their data, as if their machines had vanished. */
  lose(...backends: Backend[]): Promise<void>;
  startService(): Promise<void>;
}

export interface DeploymentOptions {
  page: PageCommands;
  /** Returns the settings of the first PostgreSQL server. */
  settings(backups: string): Readonly<Record<string, string>>;
  env: NodeJS.ProcessEnv;
  /** Added to the environment of the second API. */
  ofSecondApi: NodeJS.ProcessEnv;
}

export async function startDeployment({ page, settings, env, ofSecondApi }: DeploymentOptions): Promise<Deployment> {
  const folder = mkdtempSync(join(shared().folder, 'deployment-'));
  // PostgreSQL runs as another user when we are root.
  chmodSync(folder, 0o755);
  const { databaseUrl, env: backendsEnv, running, ...backends } = await prepareBackends(folder);
  const { folders } = backends;
  const stack = await startFirst().catch(async (error: unknown) => {
    await backends.stop();
    throw error;
  });

  async function startFirst(): Promise<Stack> {
    const databases = backends.startPostgres(settings(folders.backups)).then(backends.startTemporal);
    await Promise.all([databases, backends.startS3()]);
    const database = databaseUrl();
    const { TEMPORAL_ADDRESS: temporalAddress = '', ...cluster } = backendsEnv();
    const outer = { ...process.env, NODE_OPTIONS: '', TEMPORAL_ADDRESS: temporalAddress };
    await runCommands(page.block('prepare'), {
      ...{ ...outer, ...cluster },
      ...{ DATABASE_URL: database, ATELIER_SECRET: secret },
    });
    return await startStack({ databaseUrl: database, database, temporalAddress, folder, env, cluster });
  }

  const startSecondApi = () => stack.startApi(1, ofSecondApi);
  await stack.apis.pop()?.stop();
  stack.apis.push(await startSecondApi());
  return {
    ...{ ...backends, stack },
    asService: (script) => runCommands(script, { ...stack.env, BACKUPS: folders.backups, OBJECTS: folders.objects }),
    async lose(...lost) {
      const processes = [...stack.apis.splice(0), ...stack.workers.splice(0)];
      const all = [...processes, ...lost.flatMap((name) => running.get(name) ?? [])];
      await Promise.all(all.map((one) => one.stop({ signal: 'SIGKILL' })));
      if (lost.includes('postgres')) rmSync(folders.cluster, { recursive: true });
      if (lost.includes('s3')) rmSync(folders.objects, { recursive: true });
    },
    async startService() {
      const workers = rolesOfWorkers.map((roles) => stack.startWorker({ ATELIER_WORKER_ROLES: roles.join() }));
      const apis = [stack.startApi(0), startSecondApi()];
      stack.workers.push(...(await Promise.all(workers)));
      stack.apis.push(...(await Promise.all(apis)));
    },
    async stop() {
      await stack.stop();
      await backends.stop();
    },
  };
}
