/** An organization spends at most its credits per day and month, however many processes accept its requests. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { creditPeriods } from '../../schemas/credit-periods.ts';
import { type Accounts, openAccounts } from '../support/accounts.ts';
import { claimPort, type ClaimedPort } from '../../scripts/local/ports.ts';
import { addCredits } from '../../store/usage.ts';
import { eventually } from '../support/eventually.ts';
import { limitedOrganization, post, readLimit, tally } from '../support/limited.ts';
import { readMetrics, sumOf } from '../support/metrics.ts';
import { priced } from '../support/prices.ts';
import { expectProblem } from '../support/problem.ts';
import { joinService } from '../support/shared.ts';
import { type FurtherApi, startFurtherApi } from '../support/stack.ts';
import type { TestKey } from '../support/test-key.ts';

let apis: [FurtherApi, FurtherApi];
let accounts: Accounts;
let metrics: ClaimedPort;

beforeAll(async () => {
  const service = await joinService('accepting');
  const prices = await priced({ selena: { base: 10 } });
  metrics = await claimPort(0);
  apis = await Promise.all([
    startFurtherApi(service, { ...prices, ATELIER_METRICS_PORT: String(metrics.port) }),
    startFurtherApi(service, prices),
  ]);
  accounts = await openAccounts(service);
});
afterAll(async () => {
  await accounts.close();
  await Promise.all(apis.map((api) => api.stop()));
  metrics.release();
});

const create = (key: TestKey, index = 0, query = '') =>
  post(apis[index % 2]?.baseUrl ?? '', key, `artworks/selena${query}`, { prompt: 'a fox' });
const organization = (limits: Parameters<typeof limitedOrganization>[2]) =>
  limitedOrganization(accounts.db, apis[0], limits);
const exceeded = async () =>
  sumOf(await readMetrics(metrics.port), 'atelier_limits_exceeded_total', { limit: 'creditsPerDay' });

test('concurrent requests to two processes never exceed the credits of a day', async () => {
  const { orgId, newKey } = await organization({ creditsPerDay: 55 });
  const keys = await Promise.all([newKey({ credits: 1000 }), newKey({ credits: 1000 })]);
  const before = (await exceeded()) ?? 0;
  const responses = await Promise.all(Array.from({ length: 24 }, (_, index) => create(keys[index % 2]!, index >> 1)));
  expect(tally(responses)).toEqual({ 202: 5, 402: 19 });
  const [today] = creditPeriods(new Date());
  const rejected = await create(keys[0]);
  expectProblem(rejected, 'insufficient_credits');
  expect(rejected.body['message']).toBe(
    'This request can cost 10 credits, and your organization has 5 left of the 55 that it may spend per day ' +
      `(limit creditsPerDay). The next day begins at ${today?.resetsAt.toISOString()}.`,
  );
  expect((await exceeded()) ?? 0).toBeGreaterThan(before);
  const credits = await Promise.all(keys.map(({ id }) => accountOf(orgId, id)));
  expect(credits[0]! + credits[1]!).toBe(1950);
  const dryRun = await create(keys[0], 0, '?dryRun=true');
  expect(dryRun.body['credits']).toMatchObject({ price: 10, sufficient: false });
  // Test keys pay nothing.
  expect((await create(await newKey({ environment: 'test' }))).status).toBe(202);
  const accepted = responses.find(({ status }) => status === 202);
  const owner = keys[responses.findIndex(({ status }) => status === 202) % 2]!;
  await post(apis[0].baseUrl, owner, `artworks/${String(accepted?.body['id'])}/cancel`, undefined);
  await eventually(async () => expect((await create(keys[0])).status).toBe(202));
});

const accountOf = async (orgId: string, id: string): Promise<number> => {
  const { rows } = await accounts.sql.query<{ credits: string }>(
    'select credits from api_key where org_id = $1 and id = $2',
    [orgId, id],
  );
  return Number(rows[0]?.credits);
};

test('counts what was charged since the beginning of the month', async () => {
  const { newKey } = await organization({ creditsPerMonth: 100 });
  const key = await newKey({ credits: 1000 });
  const [, month] = creditPeriods(new Date());
  const lastMonth = new Date(Date.parse(month?.since ?? '') - 1).toISOString().slice(0, 10);
  await accounts.db.em().transactional(async (em) => {
    await addCredits(em, { key: key.id, day: lastMonth, operation: 'selena', credits: 500 });
    await addCredits(em, { key: key.id, day: month?.since ?? '', operation: 'selena', credits: 85 });
  });
  expect((await create(key)).status).toBe(202);
  const rejected = await create(key, 1);
  expectProblem(rejected, 'insufficient_credits');
  expect(rejected.body['message']).toContain('has 5 left of the 100 that it may spend per month');
  expect(await readLimit(apis[0].baseUrl, key, 'creditsPerMonth')).toMatchObject({
    ...{ limit: 100, used: 95, unit: 'credits' },
    resetsAt: month?.resetsAt.toISOString(),
  });
});
