/** Downloads the Temporal CLI with the SDK, and prints its path. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Runtime } from '@temporalio/worker';

const [version, folder] = process.argv.slice(2) as [string, string];
const runtime = Runtime.instance();
const server = await runtime.createEphemeralServer({
  type: 'dev-server',
  exe: {
    type: 'cached-download',
    downloadDir: folder,
    version: `v${version}`,
    ttl: 0,
    sdkName: 'sdk-typescript',
    sdkVersion: '1.24.0',
  },
  namespace: 'default',
  ip: '127.0.0.1',
  port: null,
  uiPort: null,
  dbFilename: null,
  ui: false,
  log: { format: 'pretty', level: 'warn' },
  extraArgs: [],
});
await runtime.shutdownEphemeralServer(server);
const name = readdirSync(folder).find((file) => file.startsWith('temporal-') && !file.endsWith('.downloading'));
if (name === undefined) throw new Error('Error: the download left no program');
console.log(join(folder, name));
process.exit(0);
