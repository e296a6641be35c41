/**
 * `node scripts/record-histories.ts`: records histories of this release, of every way that a workflow can go, for the
 * replay tests. What is recorded stays: its artworks may still be asleep when other code is deployed.
 */
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { version } from '../api/version.ts';
import { startBackends } from '../test/support/backends.ts';
import { startReceiver } from '../test/support/receiver.ts';
import { startStack } from '../test/support/stack.ts';
import { openTemporal } from '../test/support/temporal.ts';
import { toText } from './histories/json.ts';
import { scenarios } from './histories/scenarios.ts';

const folder = fileURLToPath(new URL(`../test/workflows/histories/${version}/`, import.meta.url));
const backends = await startBackends();
// The first answer to an event of a path with "again" is a failure.
const receiver = await startReceiver((response, nth, { path }) => {
  response.writeHead(path.endsWith('again') && nth === 1 ? 500 : 200).end();
});
const stack = await startStack({
  databaseUrl: backends.postgres.url,
  temporalAddress: backends.temporal.address,
  folder: backends.folder,
});
// Each way starts an API with settings of its own.
await stack.apis[0]?.stop();
const temporal = await openTemporal(stack);

try {
  await mkdir(folder, { recursive: true });
  for (const [name, scenario] of Object.entries(scenarios)) {
    const file = join(folder, `${name}.json`);
    if (existsSync(file)) continue;
    const id = await scenario({ stack, receiver, temporal: temporal.client });
    const history = await temporal.client.workflow.getHandle(id).fetchHistory();
    await writeFile(file, toText(history));
    console.log(`✓ ${name}: ${history.events?.length} events`);
  }
} finally {
  await temporal.close();
  await stack.stop();
  await receiver.close();
  await backends.stop();
}
