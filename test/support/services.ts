/** Starts each shared service when the first test file joins it, and gives every file its own organization. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Database } from '../../store/database.ts';
import { openTestDatabase } from './open-database.ts';
import { type Profile, profiles } from './profiles.ts';
import type { Shared } from './shared.ts';
import { type Service, type Stack, startStack } from './stack.ts';
import { createTestKey } from './test-key.ts';
import { createTestOrganization } from './test-organization.ts';

export interface Services {
  /** `POST <url>/<profile>` returns a `Service` as JSON. */
  url: string;
  stop(): Promise<void>;
}

interface Started {
  stack: Stack;
  db: Database;
}

/** Serves test files, which run in other processes. */
export async function serveServices(shared: Shared) {
  const starting = new Map<Profile, Promise<Started>>();
  const start = async (profile: Profile): Promise<Started> => {
    const stack = await startStack({ ...shared, ...profiles[profile] });
    return { stack, db: openTestDatabase(stack.databaseUrl) };
  };
  const join = async (profile: string): Promise<Service> => {
    if (!isProfile(profile)) throw new Error(`There is no profile "${profile}"`);
    let started = starting.get(profile);
    if (!started) starting.set(profile, (started = start(profile)));
    return withNewOrganization(await started);
  };
  const server = createServer((request, response) => {
    // A process of tests may pause for longer than an idle connection is kept, and would then use a closed one.
    response.setHeader('connection', 'close');
    join(request.url?.slice(1) ?? '').then(
      (service) => response.end(JSON.stringify(service)),
      (error: unknown) => fail(response, error),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.closeAllConnections();
      server.close();
      const all = await Promise.allSettled(starting.values());
      await Promise.all(all.flatMap((one) => (one.status === 'fulfilled' ? [stop(one.value)] : [])));
    },
  } satisfies Services;
}

const isProfile = (name: string): name is Profile => Object.hasOwn(profiles, name);

function fail(response: ServerResponse, error: unknown): void {
  response.statusCode = 500;
  response.end(error instanceof Error ? error.stack : String(error));
}

async function withNewOrganization({ stack, db }: Started): Promise<Service> {
  const { baseUrl, baseUrls, databaseUrl, taskQueue, secret, dataFolder, env } = stack;
  const { orgId, webhookSecret } = await createTestOrganization(db, secret);
  const { apiKey: adminKey } = await createTestKey(db, { orgId, scope: 'admin' });
  return { baseUrl, baseUrls, databaseUrl, taskQueue, secret, dataFolder, env, orgId, adminKey, webhookSecret };
}

async function stop({ stack, db }: Started): Promise<void> {
  await Promise.all([stack.stop(), db.close()]);
}
