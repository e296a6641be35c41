/** The API process: connects everything, serves HTTP, and drains when it is stopped. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { Client } from '@temporalio/client';
import { readConfig } from '../runtime/config.ts';
import { affordableConnections, headerDeadline, limitConnections } from '../runtime/connection-limits.ts';
import { dependencyChecks, readiness } from '../runtime/dependency-checks.ts';
import { createLogger } from '../runtime/log.ts';
import { serveMetrics } from '../runtime/metrics-server.ts';
import { createApiMetrics, measureProcess } from '../runtime/metrics.ts';
import { exitOnUncaughtException, handOver, untilStopped } from '../runtime/process.ts';
import { StartupError } from '../runtime/startup-error.ts';
import { checkTemporal, connectToTemporal, processIdentity } from '../runtime/temporal.ts';
import { fileTimeouts, longestSynchronousRequest } from '../runtime/timeouts.ts';
import { createCensus } from '../services/census.ts';
import { createCreationSlots } from '../services/creation-slots.ts';
import { createInProgress } from '../services/in-progress.ts';
import { findOperations } from '../services/operations.ts';
import { openLimits } from '../services/organization-limits.ts';
import { readPrices } from '../services/prices.ts';
import { openUsageCounter } from '../services/usage-counter.ts';
import { listenForChanges } from '../store/changes.ts';
import { checkDatabase } from '../store/check-database.ts';
import { batched } from '../store/batched.ts';
import { openDatabase } from '../store/database.ts';
import { openFiles } from '../store/files.ts';
import { newId, newSeed } from '../store/ids.ts';
import { findKeysBySecret } from '../store/keys.ts';
import { openLinks } from '../store/links.ts';
import { openLimiter } from '../store/limiter.ts';
import { openVault } from '../store/vault.ts';
import { createApp } from './app.ts';
import { createAddressRates } from './http/address-rates.ts';
import { respondToBrokenRequests } from './http/broken-request.ts';
import { createBytesInFlight } from './http/bytes-in-flight.ts';
import { reportListening } from './report-listening.ts';
import { warnOfLogSettings } from './warn-of-log-settings.ts';
import { prepareTemporaryFolder } from './http/upload-folders.ts';

/** Milliseconds between two closings of idle connections while the process stops. */
const closeInterval = 50;

/**
 * Milliseconds for which an idle connection stays open: longer than at common load balancers (60 s), so that they close
 * it first. If the API closed it at the moment when a load balancer reuses it, that request would fail.
 */
const idleTimeout = 75_000;

/** Open connections of the process, if it may open as many files. An idle one takes about 20 KB. */
const maxConnections = 10_000;

exitOnUncaughtException('api');
// Files are readable only by their owner.
process.umask(0o077);
const config = readConfig();
/**
 * Milliseconds before a stopping process closes the remaining connections: longer than a response takes while PostgreSQL
 * and Temporal respond, so that no result is lost that has been paid for.
 */
const drainTimeout = longestSynchronousRequest(config.synchronousTimeout);
const log = createLogger('api', config.logLevel);
const { namespace } = config.temporal;
const connection = connectToTemporal(config.temporal);
const vault = openVault(config.secret, config.previousSecret);
const { database } = config;
const db = openDatabase({ ...database, name: 'atelier-api', connections: 20 });
const changes = listenForChanges(database.directUrl, 'atelier-api-listening', reportListening(database, log));
const uses = openUsageCounter(db, log);
const limiter = openLimiter(database, 'atelier-api-limits', (err) =>
  log.warn({ err }, 'Rate limits are not shared between processes: the database did not respond'),
);
await prepareTemporaryFolder(tmpdir(), Date.now(), log);
const operations = await findOperations();
const stopping = new AbortController();
const metrics = createApiMetrics();
const temporal = new Client({ connection, namespace, identity: processIdentity('api') });
const app = createApp({
  config,
  operations,
  prices: await readPrices(config.pricesFile, operations),
  temporal,
  db,
  changes,
  files: await openFiles(config.files, { timeout: fileTimeouts.api }),
  links: openLinks(vault, config.publicUrl),
  vault,
  limiter,
  addressRates: createAddressRates(),
  findKey: batched((apiKeys: readonly string[]) => findKeysBySecret(db, apiKeys, new Date())),
  limitsOf: openLimits(db, config.organizationLimits),
  inProgress: createInProgress(),
  creationSlots: createCreationSlots(),
  bytesInFlight: createBytesInFlight(),
  uses,
  metrics,
  log,
  stopping: stopping.signal,
  now: Date.now,
  newId,
  newSeed,
});
const metricsServer =
  config.metrics &&
  (await serveMetrics({
    ...config.metrics,
    metrics,
    log,
    checks: dependencyChecks(db, connection),
    readiness,
    refresh: createCensus({ db, temporal, metrics, log, now: Date.now }),
  }));
if (metricsServer) measureProcess(metrics);
const server = createServer({ ...headerDeadline, requireHostHeader: false, keepAliveTimeout: idleTimeout }, app);
limitConnections(server, {
  max: affordableConnections(maxConnections),
  log,
  onReject: () => metrics.connectionsRejected.inc(),
});
// Without this, Node would send 100 Continue for every body. `sendContinue` sends it for a body that will be read.
server.on('checkContinue', (request, response) => server.emit('request', request, response));
respondToBrokenRequests(server, { newId, log });
await new Promise<void>((resolve, reject) => {
  const { host, port } = config;
  server.once('error', (cause) =>
    reject(new StartupError(`HOST and PORT: cannot listen on ${host}:${port} (${cause.message}).`, { cause })),
  );
  server.listen(port, host, resolve);
});
const { port } = server.address() as AddressInfo;
log.info({ host: config.host, port, metricsPort: metricsServer?.port }, 'API is ready');
process.send?.({ ready: true, port });
// The API starts without PostgreSQL and Temporal, and its requests then get 503.
const databaseChecked = checkDatabase(db, database.url).then((failure) =>
  failure ? log.error({ failure: failure.kind }, failure.message) : warnOfLogSettings(db, log),
);
void checkTemporal(config.temporal).then((failure) => failure && log.error({ failure: failure.kind }, failure.message));

await untilStopped();
stopping.abort();
log.info({}, 'API is draining');
const drain = setTimeout(() => server.closeAllConnections(), drainTimeout);
// Repeated, because a connection becomes idle when its last response ends, and would then stay open for `idleTimeout`.
const closeIdle = setInterval(() => server.closeIdleConnections(), closeInterval);
const closed = new Promise((resolve) => server.close(resolve));
await handOver(() => metricsServer?.close());
await closed;
clearInterval(closeIdle);
clearTimeout(drain);
// A connection that opens while the pool closes would stay open.
await Promise.all([uses.close(), metricsServer?.close(), databaseChecked]);
await Promise.all([db.close(), limiter.close(), changes.close(), connection.close()]);
process.disconnect?.();
