/** The API process. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client, Connection } from '@temporalio/client';
import { readConfig } from '../config.ts';
import { createLogger } from '../log.ts';
import { untilStopped } from '../process.ts';
import { openDatabase } from '../store/database.ts';
import { openFiles } from '../store/files.ts';
import { newId, newSeed } from '../store/ids.ts';
import { openLinks } from '../store/links.ts';
import { openVault } from '../store/vault.ts';
import { createApp } from './app.ts';
import { findOperations } from './registry.ts';
import { countUses } from './uses.ts';

const config = readConfig();
const log = createLogger('api', config.logLevel);
const { address, namespace } = config.temporal;
// Lazy: the API starts, and answers 503, while Temporal is away.
const connection = Connection.lazy({ address });
const vault = openVault(config.secret);
const db = openDatabase({ url: config.databaseUrl, name: 'atelier-api', connections: 20 });
const uses = countUses(db, log);
const stopping = new AbortController();
const app = createApp(
  {
    config,
    operations: await findOperations(),
    temporal: new Client({ connection, namespace }),
    db,
    files: openFiles(config.imagesFolder),
    links: openLinks(vault, config.publicUrl),
    vault,
    log,
    stopping: stopping.signal,
    now: Date.now,
    newId,
    newSeed,
  },
  uses,
);
const server = createServer(app);
await new Promise<void>((resolve, reject) => {
  server.once('error', reject);
  server.listen(config.port, config.host, resolve);
});
const { port } = server.address() as AddressInfo;
log.info({ host: config.host, port }, 'API is ready');
process.send?.({ ready: true, port });

await untilStopped();
stopping.abort();
log.info({}, 'API drains');
await new Promise((resolve) => {
  server.close(resolve);
  server.closeIdleConnections();
});
await uses.close();
await Promise.all([db.close(), connection.close()]);
process.disconnect?.();
