/** A Temporal server that checks bearer tokens over TLS, as Temporal Cloud checks API keys. */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { createAuthority } from '../../scripts/local/certificate.ts';
import { create, ended } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { runUntilItEnds } from '../support/failing-process.ts';
import { shared } from '../support/shared.ts';
import { type Stack, startStack } from '../support/stack.ts';
import { startTestTemporal, type TestTemporal } from '../support/temporal-server.ts';
import { startTokenIssuer, type TokenIssuer } from '../support/token-issuer.ts';
import { writtenFile } from '../support/written-file.ts';

// The first run on a machine builds the server.
jest.setTimeout(900_000);

const folder = mkdtempSync(join(shared().folder, 'tokens-'));
const write = (name: string, content: string) => writtenFile(folder, name, content);
const authority = createAuthority('authority');
const host = 'temporal.test';
const { cert, key } = authority.issue([host]);
const frontend = { cert: write('frontend.pem', cert), key: write('frontend.key', key) };
const encrypted = {
  TEMPORAL_TLS_SERVER_CA_CERT_PATH: write('authority.pem', authority.cert),
  TEMPORAL_TLS_SERVER_NAME: host,
};
const namespace = 'keys';

let temporal: TestTemporal;
let tokens: TokenIssuer;
let stack: Stack | undefined;

beforeAll(async () => {
  tokens = await startTokenIssuer();
  temporal = await startTestTemporal({ tls: frontend, tokenKeys: tokens.keys });
  await temporal.register(environment(tokens.issue('temporal-system:admin')));
});
afterAll(async () => {
  await stack?.stop();
  await temporal?.server.stop();
  await tokens?.close();
});

const environment = (apiKey: string): NodeJS.ProcessEnv => ({
  ...process.env,
  ...encrypted,
  TEMPORAL_ADDRESS: temporal.server.address,
  TEMPORAL_NAMESPACE: namespace,
  TEMPORAL_API_KEY: apiKey,
  DATABASE_URL: shared().databaseUrl,
  ATELIER_SECRET: 'a secret for tests, at least 32 characters',
  ATELIER_DATA: folder,
  ATELIER_TASK_QUEUE: `keys-${randomUUID()}`,
});

test('migration with a key that may not administrate names the missing search attributes', async () => {
  const apiKey = tokens.issue(`${namespace}:write`);
  const { code, output } = await runUntilItEnds('scripts/migrate.ts', [], environment(apiKey));
  expect([code, output]).toEqual([1, expect.stringContaining('lacks the search attributes AtelierOrganization')]);
  expect(output).not.toContain(apiKey);
});

test('migration with a key of an administrator adds the search attributes', async () => {
  const { code } = await runUntilItEnds('scripts/migrate.ts', [], environment(tokens.issue(`${namespace}:admin`)));
  expect(code).toBe(0);
});

test('API and worker run an artwork with an API key, which is in no log', async () => {
  const apiKey = tokens.issue(`${namespace}:write`, `${namespace}:worker`);
  const env = { ...encrypted, TEMPORAL_NAMESPACE: namespace, TEMPORAL_API_KEY: apiKey };
  stack = await startStack({ ...shared(), temporalAddress: temporal.server.address, env });
  const service = stack;
  // The first workflow of a new server can take longer than the API waits.
  const { id } = await eventually(() => create(service, { prompt: 'a red fox', width: 256, height: 256 }), 60_000, 500);
  expect((await ended(stack, id)).status).toBe('SUCCEEDED');
  for (const log of ['api-main-ts.log', 'workers-main-ts.log']) {
    expect(readFileSync(join(stack.dataFolder, log), 'utf8')).not.toContain(apiKey);
  }
});

test.each([
  ['worker', 'workers/main.ts', []],
  ['migration', 'scripts/migrate.ts', []],
  ['operator', 'operator/main.ts', ['engines', 'list']],
])('%s says that the key is not valid for the namespace', async (_name, entry, args) => {
  const apiKey = tokens.issue('another-namespace:admin');
  const { code, output } = await runUntilItEnds(entry, args, environment(apiKey));
  expect(code).toBe(1);
  expect(output).toContain(
    `denied access to the namespace ${namespace}. Check TEMPORAL_NAMESPACE. TEMPORAL_API_KEY must`,
  );
  expect(output).not.toContain(apiKey);
  expect(output).not.toMatch(/\n\s+at |"stack"/);
});
