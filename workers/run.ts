/** Runs a worker process: reads the configuration, starts the workers and drains them at the end. */
import { type NativeConnection, Runtime, type Worker } from '@temporalio/worker';
import { createActivities } from '../activities/index.ts';
import type { Dependencies } from '../activities/dependencies.ts';
import { createOutbound } from '../activities/outbound.ts';
import { createPreparer } from '../activities/prepare-image.ts';
import { type Config, readConfig } from '../runtime/config.ts';
import { type Bindings, createCatalogue } from '../engines/catalogue.ts';
import type { Engine } from '../engines/contract/index.ts';
import { createDecoder } from '../images/decoder.ts';
import { allowFormats } from '../images/loaders.ts';
import { inputModel } from '../schemas/plan.ts';
import { createLogger } from '../runtime/log.ts';
import { dependencyChecks } from '../runtime/dependency-checks.ts';
import type { Checks } from '../runtime/health.ts';
import { serveMetrics } from '../runtime/metrics-server.ts';
import { createWorkerMetrics, measureProcess } from '../runtime/metrics.ts';
import { exitOnUncaughtException, handOver, untilStopped } from '../runtime/process.ts';
import { StartupError } from '../runtime/startup-error.ts';
import { checkDatabase } from '../store/check-database.ts';
import { type Database, openDatabase } from '../store/database.ts';
import { fileTimeouts } from '../runtime/timeouts.ts';
import { openFiles } from '../store/files.ts';
import { newId } from '../store/ids.ts';
import { openLinks } from '../store/links.ts';
import { openVault } from '../store/vault.ts';
import { bundleWorkflows } from './bundle.ts';
import { connectWorker, explainLostConnection } from './connection.ts';
import { logContext, nameRequest } from './log-context.ts';
import { temporalLogger } from './logger.ts';
import { explainLostDatabase } from './lost-database.ts';
import { createPermits } from './permit-supplier.ts';
import { openTemporalMetrics } from './temporal-metrics.ts';
import { startUpkeep } from './upkeep.ts';
import { createWorkers, type WorkersOptions } from './worker.ts';

/** Maximum concurrent input images of a worker process. Most of them wait for a download; the decoder decodes two at a time. */
const concurrentInputs = 16;

/** Adds the engine that prepares input images. */
const withInputs = (preparer: Engine, { models, sources }: Bindings): Bindings => ({
  models: {
    ...models,
    [inputModel]: { task: 'prepare-image', bindings: [{ engine: preparer.name, timeout: 90_000 }] },
  },
  sources: {
    ...sources,
    [preparer.name]: { load: () => Promise.resolve(preparer), role: 'providers', concurrency: concurrentInputs },
  },
});

interface WorkerBindings {
  /** Bindings for live keys. */
  live: Bindings;
  /** Bindings for test keys; default: `live`. */
  test?: Bindings;
}

export async function runWorker(bind: (config: Config) => WorkerBindings | Promise<WorkerBindings>): Promise<void> {
  exitOnUncaughtException('worker');
  // Files are readable only by the owner.
  process.umask(0o077);
  const config = readConfig();
  const log = createLogger('worker', config.logLevel, logContext);
  const { live, test } = await bind(config);
  // The embedded illustrator draws SVG icons of its own.
  allowFormats(['png', 'jpeg', 'webp', 'svg']);
  // Files of clients must not hold up results that have been paid for.
  const decoders = { inputs: createDecoder(), results: createDecoder() };
  const preparer = createPreparer(decoders.inputs);
  const catalogue = createCatalogue(withInputs(preparer, live), withInputs(preparer, test ?? live));
  const temporalMetrics = config.metrics && (await openTemporalMetrics());
  Runtime.install({
    shutdownSignals: [],
    logger: temporalLogger(log, explainLostConnection(config.temporal, log)),
    telemetryOptions: {
      // Otherwise the SDK's native code writes its own lines to standard output.
      logging: { filter: { core: 'WARN', other: 'ERROR' }, forward: {} },
      ...(temporalMetrics && { metrics: temporalMetrics.options }),
    },
  });
  const metrics = createWorkerMetrics();

  const { namespace, taskQueue } = config.temporal;
  const roles = config.workerRoles;
  const [connection, workflowBundle] = await Promise.all([
    connectWorker(config.temporal),
    roles.has('workflows') ? bundleWorkflows() : undefined,
  ]);
  const vault = openVault(config.secret, config.previousSecret);
  const db = openDatabase({ ...config.database, name: 'atelier-worker', connections: 20, timeout: 5000 });
  const failure = await checkDatabase(db, config.database.url);
  if (failure && failure.kind !== 'unreachable') throw new StartupError(failure.message);
  // Steps wait for a database that does not respond.
  if (failure) log.error({ failure: failure.kind }, failure.message);
  const permits = createPermits({ db, catalogue, roles, taskQueue, now: Date.now });
  const outbound = createOutbound(config.allowedHosts);
  const deps: Dependencies = {
    db,
    files: await openFiles(config.files, { timeout: fileTimeouts.worker }),
    links: openLinks(vault, config.publicUrl),
    vault,
    catalogue,
    roles,
    outbound,
    pauseAfter: config.pauseAfter,
    decoder: decoders.results,
    taskQueue,
    permits: permits.queues,
    now: Date.now,
    newId: (prefix) => newId(prefix),
    metrics,
    log,
    nameRequest,
    explainDatabaseError: explainLostDatabase(config.database.url, log),
  };
  const activities = createActivities(deps);
  const options = { ...{ connection, namespace, taskQueue, roles, workflowBundle }, activities, catalogue };
  const workersOptions: WorkersOptions = { ...options, permits: permits.queues };
  const workers = await createWorkers(workersOptions);
  const checks = healthChecks(db, connection, workers);
  const metricsServer =
    config.metrics && (await serveMetrics({ ...config.metrics, metrics, log, checks, others: temporalMetrics?.read }));
  if (metricsServer) measureProcess(metrics);
  const running = Promise.all(workers.map((worker) => worker.run()));
  const upkeep = startUpkeep(deps, workersOptions);
  log.info({ taskQueue, roles: [...roles], metricsPort: metricsServer?.port }, 'Worker is ready');
  process.send?.({ ready: true });

  await Promise.race([untilStopped(), running]);
  log.info({}, 'Worker is draining');
  for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
  await handOver(() => metricsServer?.close());
  await Promise.all([running, upkeep.stop()]);
  await permits.close();
  await Promise.all([catalogue.close(), decoders.inputs.close(), decoders.results.close()]);
  await Promise.all([outbound.close(), db.close(), metricsServer?.close()]);
  await connection.close();
  process.disconnect?.();
}

/** Returns the checks of a worker process: PostgreSQL and Temporal respond, and the process accepts tasks. */
function healthChecks(db: Database, connection: NativeConnection, workers: readonly Worker[]): Checks {
  return {
    ...dependencyChecks(db, connection),
    workers: () =>
      workers.every((worker) => worker.getState() === 'RUNNING')
        ? Promise.resolve()
        : Promise.reject(new Error('The workers start or drain')),
  };
}
