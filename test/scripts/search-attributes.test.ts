/** Migration of a Temporal that does not let this client add search attributes, such as Temporal Cloud. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { grpcStatus } from '../../runtime/grpc-status.ts';
import { registerNamespace } from '../../scripts/temporal-server/namespace.ts';
import { prepareNamespace } from '../../scripts/local/temporal-namespace.ts';
import { type DenyingProxy, startDenyingProxy } from '../support/denying-proxy.ts';
import { secret } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { runUntilItEnds } from '../support/failing-process.ts';
import { shared } from '../support/shared.ts';

const day = 24 * 3_600_000;
const connection = (namespace: string) => ({ address: shared().temporalAddress, namespace, tls: false }) as const;
const proxies: DenyingProxy[] = [];

beforeAll(async () => {
  for (const status of [grpcStatus.permissionDenied, grpcStatus.unimplemented]) {
    proxies.push(await startDenyingProxy(shared().temporalAddress, status));
  }
});
afterAll(async () => {
  await Promise.all(proxies.map((proxy) => proxy.close()));
});

const migrate = (proxy: DenyingProxy | undefined, namespace: string) =>
  runUntilItEnds('scripts/migrate.ts', [], {
    ...process.env,
    ATELIER_SECRET: secret,
    DATABASE_URL: shared().databaseUrl,
    TEMPORAL_ADDRESS: proxy?.address,
    TEMPORAL_NAMESPACE: namespace,
  });

test.each([
  ['PERMISSION_DENIED', 0],
  ['UNIMPLEMENTED', 1],
])('reports missing attributes and the commands that add them after %s', async (_name, index) => {
  const namespace = `n${randomUUID()}`;
  await registerNamespace(connection(namespace), day);
  const missing = await eventually(async () => {
    const ended = await migrate(proxies[index], namespace);
    // The server knows a new namespace after some seconds.
    expect(ended.output).not.toContain('is not ready');
    return ended;
  }, 40_000);
  expect(missing.code).toBe(1);
  expect(missing.output).toContain(
    `The Temporal namespace ${namespace} lacks the search attributes AtelierOrganization, AtelierOperation, AtelierStatus, AtelierModel`,
  );
  expect(missing.output).toContain(
    `tcld namespace search-attributes add --namespace ${namespace} --search-attribute "AtelierOrganization=Keyword"`,
  );
  expect(missing.output).toContain(
    `temporal operator search-attribute create --namespace ${namespace} --name AtelierOrganization --type Keyword`,
  );
  expect(missing.output).not.toMatch(/\n\s+at /);

  // An administrator adds them.
  await prepareNamespace(connection(namespace));
  await eventually(async () => expect(await migrate(proxies[index], namespace)).toMatchObject({ code: 0 }), 40_000);
});
