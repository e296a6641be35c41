/** The metrics of API and worker, after successes and failures. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import pg from 'pg';
import { createCensus } from '../services/census.ts';
import { createLogger } from '../runtime/log.ts';
import { type ApiMetrics, createApiMetrics } from '../runtime/metrics.ts';
import { newApiKey } from '../store/ids.ts';
import { type NewKey, revokeKey } from '../store/keys.ts';
import { claimPort, type ClaimedPort } from '../scripts/local/ports.ts';
import { call, create, ended } from './support/client.ts';
import { apiKey, at, enginesEnv, flux } from './support/engines.ts';
import { eventually } from './support/eventually.ts';
import { readMetrics, type Sample, sumOf } from './support/metrics.ts';
import { openTestDatabase } from './support/open-database.ts';
import { type Receiver, startReceiver } from './support/receiver.ts';
import { shared, startSharedStack } from './support/shared.ts';
import { type Stack, startFurtherApi } from './support/stack.ts';
import { openTemporal } from './support/temporal.ts';
import { createTestKey } from './support/test-key.ts';
import { startFal } from './upstreams/fal.ts';
import type { UpstreamFake } from './upstreams/upstream-fake.ts';

let stack: Stack;
let receiver: Receiver;
let fal: UpstreamFake;
let ports: ClaimedPort[];
let database: pg.Client;

beforeAll(async () => {
  fal = await startFal({ apiKey });
  receiver = await startReceiver((response, nth) => void response.writeHead(nth === 1 ? 500 : 200).end());
  ports = [await claimPort(0), await claimPort(0)];
  const env = enginesEnv(shared().folder, {
    engines: { fal: at('fal', fal, { concurrent: 2 }) },
    models: { quantum: [flux] },
  });
  const metricsPort = (index: number) => ({ ATELIER_METRICS_PORT: String(ports[index]?.port) });
  stack = await startSharedStack({
    env: { ATELIER_WEBHOOK_SCHEDULE: '0s,1s,1s', ...env, ...metricsPort(0) },
    workerEnv: metricsPort(1),
  });
  database = new pg.Client(stack.databaseUrl);
  await database.connect();
});
afterAll(async () => {
  await database.end();
  await stack.stop();
  for (const port of ports) port.release();
  await Promise.all([receiver.close(), fal.close()]);
});

const ofApi = () => readMetrics(ports[0]!.port);
const ofWorker = () => readMetrics(ports[1]!.port);
const size = { width: 256, height: 256 };

test('counts requests by route, accept times, engine calls, deliveries and ended artworks', async () => {
  const { id } = await create(stack, { prompt: 'a boat', webhookUrl: receiver.url, ...size });
  await receiver.until(id, 2);
  await ended(stack, (await create(stack, { prompt: 'a boat', ...size }, 'quantum')).id);
  fal.fail('bad-request');
  const failed = await ended(stack, (await create(stack, { prompt: 'a boat', ...size }, 'quantum')).id);
  fal.fail(null);
  expect(failed.status).toBe('FAILED');
  for (const path of ['/v2/art_1', '/v2/artworks/art_1', '/v2/artworks/art_2', '/x/y', '/v1/any']) {
    await call(`${stack.baseUrl}${path}?secret=1`, { key: stack.adminKey });
  }
  await call(`${stack.baseUrl}/v2/artworks/selena`, { key: stack.adminKey, method: 'PURGE' });

  const api = await ofApi();
  const requests = (labels: Record<string, string>) => sumOf(api, 'atelier_http_requests_total', labels);
  expect(requests({ method: 'POST', route: '/v2/artworks/quantum', status: '202' })).toBe(2);
  expect(requests({ method: 'GET', route: '/v2/artworks/:id', status: '404' })).toBe(2);
  expect(requests({ route: 'none', status: '404' })).toBe(2);
  expect(requests({ route: '/v1', status: '410' })).toBe(1);
  expect(requests({ method: 'other', route: '/v2/artworks/selena', status: '405' })).toBe(1);
  expect(sumOf(api, 'atelier_accept_seconds_count', { operation: 'quantum' })).toBe(2);
  expect(sumOf(api, 'atelier_accept_seconds_sum', { operation: 'selena' })).toBeGreaterThan(0);
  expect(sumOf(api, 'atelier_workflow_start_seconds_count', { outcome: 'ok' })).toBe(3);
  expect(sumOf(api, 'process_resident_memory_bytes')).toBeGreaterThan(1e7);

  const worker = await eventually(async () => {
    const samples = await ofWorker();
    expect(sumOf(samples, 'atelier_deliveries_total', { outcome: 'delivered' })).toBe(1);
    return samples;
  });
  expect(sumOf(worker, 'atelier_deliveries_total', { outcome: '5xx' })).toBe(1);
  expect(sumOf(worker, 'atelier_delivery_seconds_count')).toBe(2);
  expect(sumOf(worker, 'atelier_engine_seconds_count', { engine: 'local', model: 'selena' })).toBe(1);
  expect(sumOf(worker, 'atelier_engine_seconds_count', { engine: 'fal', model: 'quantum' })).toBe(2);
  expect(sumOf(worker, 'atelier_admission_wait_seconds_count', { engine: 'fal' })).toBe(2);
  const code = 'provider_rejected';
  expect(sumOf(worker, 'atelier_engine_failures_total', { engine: 'fal', model: 'quantum', code })).toBe(1);
  expect(sumOf(worker, 'atelier_artworks_ended_total', { operation: 'quantum', status: 'FAILED', code })).toBe(1);
  expect(sumOf(worker, 'atelier_artworks_ended_total', { status: 'SUCCEEDED', code: '' })).toBe(2);
  for (const name of [
    'temporal_worker_task_slots_available',
    'temporal_activity_schedule_to_start_latency_seconds_count',
    'temporal_workflow_task_execution_latency_seconds_count',
    'temporal_sticky_cache_size',
    'temporal_request_latency_seconds_count',
  ]) {
    expect({ name, value: sumOf(worker, name) }).toEqual({ name, value: expect.any(Number) });
  }
  for (const label of labelsOf([...api, ...worker])) expect(label).not.toMatch(/art_|key_|org_|secret|boat|http/);
});

test('counts requests that are not authenticated or not authorized, by the reason', async () => {
  const { orgId, baseUrl } = stack;
  const db = openTestDatabase(stack.databaseUrl);
  const make = (fields: Partial<NewKey> = {}) => createTestKey(db, { orgId, ...fields });
  const [revoked, expired] = [await make(), await make({ expiresAt: new Date(Date.now() - 1) })];
  await revokeKey(db, revoked.id, new Date());
  const elsewhere = await make({ allowedAddresses: ['203.0.113.7'] });
  const style = await make({ domains: ['style-dna'] });
  await db.close();
  const selena = { method: 'POST', body: { prompt: 'a boat' } };
  await call(`${baseUrl}/v2/artworks`);
  await call(`${baseUrl}/v2/artworks`, { headers: { authorization: 'Basic x' } });
  for (const key of [newApiKey('live'), revoked.apiKey, expired.apiKey, elsewhere.apiKey]) {
    await call(`${baseUrl}/v2/artworks`, { key });
  }
  await call(`${baseUrl}/v2/organizations/${orgId}`, { key: style.apiKey });
  await call(`${baseUrl}/v2/artworks/selena`, { key: style.apiKey, ...selena });
  const counted = (await ofApi()).filter(({ name }) => name === 'atelier_authentication_failures_total');
  expect(Object.fromEntries(counted.map(({ labels, value }) => [labels['reason'], value]))).toEqual({
    ...{ missing: 1, malformed: 1, unknown: 1, revoked: 1, expired: 1, address: 1 },
    ...{ scope: 1, domain: 1, environment: 0 },
  });
});

test('counts once an event that its receiver never accepts, and one that it refuses for good', async () => {
  const refusing = await startReceiver((response, _nth, { path }) => response.writeHead(Number(path.slice(1))).end());
  const make = async (status: number) => {
    const { id } = await create(stack, {
      prompt: 'a boat',
      webhookUrl: new URL(`/${status}`, refusing.url).href,
      ...size,
    });
    return id;
  };
  const [failing, gone] = [await make(500), await make(410)];
  const givenUp = async () => {
    const samples = await ofWorker();
    return [{ outcome: '5xx' }, { outcome: 'gone' }, {}].map((labels) =>
      sumOf(samples, 'atelier_events_given_up_total', labels),
    );
  };
  await Promise.all([refusing.until(failing, 3), refusing.until(gone)]);
  await eventually(async () => expect(await givenUp()).toEqual([1, 1, 2]));
  // The event was given up before.
  const redelivery = await call(`${stack.baseUrl}/v2/artworks/${failing}/redeliver`, {
    method: 'POST',
    key: stack.adminKey,
  });
  expect(redelivery.status).toBe(202);
  await refusing.until(failing, 4);
  await eventually(async () => {
    const { rows } = await database.query('select attempt from delivery where artwork_id = $1', [failing]);
    expect(rows).toHaveLength(4);
  });
  expect(await givenUp()).toEqual([1, 1, 2]);
  await refusing.close();
});

const labelsOf = (samples: Sample[]) => samples.flatMap(({ labels }) => Object.values(labels));

/** Takes a census at once; an API repeats its last one for 10 seconds. */
async function takeCensus(temporal: Client): Promise<ApiMetrics> {
  const db = openTestDatabase(stack.databaseUrl);
  const metrics = createApiMetrics();
  await createCensus({ db, temporal, metrics, log: createLogger('test', 'silent'), now: Date.now })();
  await db.close();
  return metrics;
}

/** The sum of a gauge over the labels that are not given. */
async function valueOf(gauge: ApiMetrics['stuck' | 'artworks'], labels: Record<string, string>): Promise<number> {
  const { values } = await gauge.get();
  const found = values.filter((one) =>
    Object.entries(labels).every(([name, value]) => (one.labels as Record<string, string>)[name] === value),
  );
  return found.reduce((sum, { value }) => sum + value, 0);
}

test('counts as stuck a terminated workflow and an artwork that was not purged, and nothing else', async () => {
  const temporal = await openTemporal(stack);
  const census = () => takeCensus(temporal.client);
  const stuckAtApi = async (why: string) => sumOf(await ofApi(), 'atelier_artworks_stuck', { why });
  expect(await eventually(() => stuckAtApi('workflow_gone'))).toBe(0);
  expect([await stuckAtApi('overdue'), await stuckAtApi('undelivered')]).toEqual([0, 0]);

  fal.hold();
  const lost = await create(stack, { prompt: 'a boat', ...size }, 'quantum');
  const waiting = await create(stack, { prompt: 'a boat', ...size }, 'quantum');
  await eventually(async () => expect(await valueOf((await census()).artworks, { status: 'PROCESSING' })).toBe(2));
  await temporal.client.workflow.getHandle(lost.id).terminate('an operator was careless');
  await database.query(`update artwork set created_at = now() - interval '10 minutes' where finished_at is null`);
  // Both are old, and only one of them has no workflow.
  await eventually(
    async () => expect(await valueOf((await census()).stuck, { why: 'workflow_gone' })).toBe(1),
    60_000,
    500,
  );
  await database.query(`update artwork set expires_at = now() - interval '11 minutes' where id = $1`, [lost.id]);
  await eventually(async () => expect(await stuckAtApi('overdue')).toBe(1), 60_000, 500);
  expect(await stuckAtApi('workflow_gone')).toBe(1);
  const api = await ofApi();
  expect(sumOf(api, 'atelier_artworks', { status: 'PROCESSING' })).toBe(2);
  expect(sumOf(api, 'atelier_artworks_oldest_seconds', { status: 'PROCESSING' })).toBeGreaterThan(590);
  fal.release();
  await ended(stack, waiting.id);
  await temporal.close();
});

test('serves the health of API and worker beside the metrics', async () => {
  const [ofApi, ofWorker] = ports.map(({ port }) => `http://127.0.0.1:${port}/health`);
  const checks = { database: 'ok', temporal: 'ok' };
  expect(await call(`${ofApi}/ready`)).toMatchObject({ status: 200, body: { status: 'ok', checks } });
  expect(await call(`${ofWorker}/ready`)).toMatchObject({
    status: 200,
    body: { checks: { ...checks, workers: 'ok' } },
  });
  for (const url of [`${ofApi}/live`, `${ofWorker}/live`]) expect((await call(url)).status).toBe(200);
  expect((await call(`${ofWorker}/live`, { method: 'POST' })).status).toBe(404);
});

test('an API without Temporal is ready for reading, but not for creations', async () => {
  const port = await claimPort(0);
  // No server listens on this port.
  const outage = { TEMPORAL_ADDRESS: '127.0.0.1:1', ATELIER_METRICS_PORT: String(port.port) };
  const api = await startFurtherApi(stack, outage);
  const checks = { database: 'ok', temporal: 'unavailable' };
  for (const base of [api.baseUrl, `http://127.0.0.1:${port.port}`]) {
    const read = await call(`${base}/health/ready`);
    expect(read).toMatchObject({ status: 200, body: { status: 'ok', checks } });
    const creations = await call(`${base}/health/ready/creations`);
    expect(creations).toMatchObject({ status: 503, body: { status: 'unavailable', checks } });
  }
  expect((await call(`${api.baseUrl}/health`)).status).toBe(503);
  expect((await call(`${api.baseUrl}/v2/artworks`, { key: stack.adminKey })).status).toBe(200);
  await api.stop();
  port.release();
});

test('a gauge that cannot be refreshed is missing instead of outdated', async () => {
  const db = openTestDatabase(stack.databaseUrl);
  const connection = Connection.lazy({ address: '127.0.0.1:1' });
  const metrics = createApiMetrics();
  const log = createLogger('test', 'silent');
  const census = createCensus({ db, temporal: new Client({ connection }), metrics, log, now: Date.now });
  metrics.stuck.set({ why: 'overdue' }, 0);
  await database.query(`update artwork set created_at = now() - interval '1 hour', finished_at = null`);
  await census();
  expect((await metrics.stuck.get()).values).toEqual([]);
  expect((await metrics.artworks.get()).values).toEqual([]);
  expect((await metrics.censusFailures.get()).values).toMatchObject([{ value: 1 }]);
  await db.close();
});
