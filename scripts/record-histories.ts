/**
 * `node scripts/record-histories.ts [folder]`: records a history of each scenario with this release, for the replay tests.
 * Keep the histories of earlier releases: their artworks may still be asleep when new code is deployed.
 */
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { version } from '../runtime/version.ts';
import { startBackends } from '../test/support/backends.ts';
import { apiKey, at, enginesEnv, flux, schnell } from '../test/support/engines.ts';
import { startReceiver } from '../test/support/receiver.ts';
import { startStack } from '../test/support/stack.ts';
import { openTemporal } from '../test/support/temporal.ts';
import { startFal } from '../test/upstreams/fal.ts';
import { startReplicate } from '../test/upstreams/replicate.ts';
import { toText } from './histories/json.ts';
import { scenarios } from './histories/scenarios.ts';

/** Histories are published, so the identities of their processes do not name the machine that recorded them. */
const withoutHosts = (text: string) => text.replace(/("identity": "[^"@]*)@[^"]*/g, '$1');

const [own] = process.argv.slice(2);
const folder = own ? resolve(own) : fileURLToPath(new URL(`../test/workflows/histories/${version}/`, import.meta.url));
const backends = await startBackends();
// For a path with "again", the receiver rejects the first delivery; for one with "later", it requests an hour of pause.
const receiver = await startReceiver((response, nth, { path }) => {
  if (path.endsWith('later')) response.setHeader('retry-after', '3600');
  response.writeHead(path.endsWith('later') || (path.endsWith('again') && nth === 1) ? 503 : 200).end();
});
const providers = [await startFal({ apiKey }), await startReplicate({ apiKey })] as const;
const [fal, replicate] = providers;
const stack = await startStack({
  env: enginesEnv(backends.folder, {
    engines: { fal: at('fal', fal), replicate: at('replicate', replicate) },
    models: { hamilton: [flux, schnell] },
  }),
  databaseUrl: backends.postgres.url,
  temporalAddress: backends.temporal.address,
  folder: backends.folder,
});
// Each scenario starts an API with its own settings.
await stack.apis[0]?.stop();
const temporal = await openTemporal(stack);

try {
  await mkdir(folder, { recursive: true });
  for (const [name, scenario] of Object.entries(scenarios)) {
    const file = join(folder, `${name}.json`);
    if (existsSync(file)) continue;
    const id = await scenario({ stack, receiver, temporal: temporal.client, providers: [...providers] });
    const history = await temporal.client.workflow.getHandle(id).fetchHistory();
    await writeFile(file, withoutHosts(toText(history)));
    console.log(`✓ ${name}: ${history.events?.length} events`);
  }
} finally {
  await temporal.close();
  await stack.stop();
  await Promise.all([receiver.close(), fal.close(), replicate.close()]);
  await backends.stop();
}
