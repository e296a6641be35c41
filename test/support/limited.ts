/** Organizations with limits of their own, in a running service. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from '@jest/globals';
import type { Environment } from '../../schemas/access.ts';
import type { LimitsView, LimitView } from '../../schemas/limits-view.ts';
import type { LimitName, OwnLimits } from '../../schemas/limits.ts';
import { operator } from '../../store/audit.ts';
import type { Database } from '../../store/database.ts';
import type { NewKey } from '../../store/keys.ts';
import { changeLimits, type LimitChange } from '../../store/organization-limits.ts';
import { call, type CallOptions, type ServiceResponse } from './client.ts';
import { expectProblem } from './problem.ts';
import type { Service } from './stack.ts';
import { createTestKey, type TestKey } from './test-key.ts';
import { createTestOrganization } from './test-organization.ts';

export interface Limited {
  orgId: string;
  /** A live key, by default a generator key. */
  newKey(fields?: Partial<NewKey>): Promise<TestKey>;
  /** Changes limits as the operator does. */
  change(limits: OwnLimits): Promise<void>;
}

/** Creates an organization with these limits. */
export async function limitedOrganization(db: Database, { secret }: Service, limits: OwnLimits): Promise<Limited> {
  const { orgId } = await createTestOrganization(db, secret);
  const change = async (changed: OwnLimits) => {
    const list = Object.entries(changed).map(([name, value]): LimitChange => ({ name: name as LimitName, value }));
    await changeLimits(db, orgId, list, new Date(), operator);
  };
  await change(limits);
  return { orgId, newKey: (fields = {}) => createTestKey(db, { orgId, ...fields }), change };
}

/** Milliseconds for which an API counts by itself after PostgreSQL has not responded in time (`store/limiter.ts`). */
const alone = 1000;

/**
 * Runs a check of limits per minute. If it fails, runs it again only when an API has counted by itself meanwhile, because
 * PostgreSQL did not respond in time, as on a busy machine.
 * @param check begins with a new key or a new organization
 */
export async function whenCounted<T>({ dataFolder }: Pick<Service, 'dataFolder'>, check: () => Promise<T>): Promise<T> {
  for (;;) {
    const began = Date.now();
    try {
      return await check();
    } catch (error) {
      await delay(alone);
      if (!hasCountedAlone(dataFolder, began - alone)) throw error;
    }
  }
}

/** @param since epoch milliseconds */
function hasCountedAlone(dataFolder: string, since: number): boolean {
  const lines = readFileSync(join(dataFolder, 'api-main-ts.log'), 'utf8').split('\n');
  const messages = lines.filter((line) => line.includes('Rate limits are not shared between processes'));
  return messages.some((line) => (JSON.parse(line) as { time: number }).time >= since);
}

export const post = (baseUrl: string, { apiKey }: TestKey, path: string, body: unknown, options: CallOptions = {}) =>
  call(`${baseUrl}/v2/${path}`, { method: 'POST', key: apiKey, body, ...options });

/** Reads the limits of a key's organization. */
export async function readLimits(baseUrl: string, { apiKey }: TestKey): Promise<LimitsView> {
  return (await call<LimitsView>(`${baseUrl}/v2/usage/limits`, { key: apiKey })).body;
}

export async function readLimit(baseUrl: string, key: TestKey, name: LimitName): Promise<LimitView | undefined> {
  return (await readLimits(baseUrl, key)).organization.find((limit) => limit.name === name);
}

/** Expects a 429 that names the limit and says when to retry. */
export function expectLimited(
  response: ServiceResponse<unknown>,
  limit: LimitName,
  sentence: string,
  environment: Environment = 'live',
): void {
  expectProblem(response, 'rate_limited');
  const { message } = response.body as { message: string };
  expect(message).toContain(sentence);
  expect(message).toContain(`(limit ${limit}, ${environment} keys)`);
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
}

/** Returns how many responses have each status. */
export function tally(responses: readonly { status: number }[]): Record<number, number> {
  return Object.fromEntries(
    [...Map.groupBy(responses, ({ status }) => status)].map(([status, all]) => [status, all.length]),
  );
}
