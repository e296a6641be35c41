/** Every public route responds within ten seconds while PostgreSQL, Temporal or both hang, and works again afterwards. */
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import type { Database } from '../../store/database.ts';
import { Artwork } from '../../store/entities.ts';
import { type Backends, startBackends } from '../support/backends.ts';
import { call, read } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { prepareRound, type RouteResponse } from '../support/every-route.ts';
import { freeze } from '../support/freeze.ts';
import { openTestDatabase } from '../support/open-database.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { type Stack, startFurtherApi, startStack } from '../support/stack.ts';
import { startStallingAddress } from '../support/stalling-address.ts';
import { endless, timed } from '../support/timed.ts';

// These tests start processes, which takes long on a busy machine.
jest.setTimeout(240_000);

/** Milliseconds within which every route responds. */
const limit = 10_000;

let backends: Backends;
let stack: Stack;
let receiver: Receiver;
let db: Database;

beforeAll(async () => {
  [backends, receiver] = await Promise.all([startBackends(), startReceiver()]);
  const { folder, postgres, temporal } = backends;
  stack = await startStack({
    ...{ databaseUrl: postgres.url, temporalAddress: temporal.address, folder },
    ...timed({ hamilton: endless }, { ATELIER_ANSWER_TIMEOUT: '20s' }),
  });
  db = openTestDatabase(stack.databaseUrl);
});
afterAll(async () => {
  await db.close();
  await stack.stop();
  await receiver.close();
  await backends.stop();
});

/** Routes that respond without PostgreSQL: they read no key. */
const needsNoDatabase = ['GET /', 'GET /health/live', 'GET /v1/x'];
/** Routes that start or signal a workflow. */
const needsTemporal = ({ route }: RouteResponse) =>
  (route.startsWith('POST ') && !route.includes('/organizations/')) ||
  route === 'DELETE /v2/artworks/:id' ||
  route === 'GET /health';

test.each([
  ['PostgreSQL', ['postgres']],
  ['Temporal', ['temporal']],
  ['PostgreSQL and Temporal', ['postgres', 'temporal']],
] as const)('responds within ten seconds on every route while %s hangs', async (name, frozen) => {
  const [during, after] = [await prepareRound(stack, db, receiver.url), await prepareRound(stack, db, receiver.url)];
  const thaws = frozen.map((part) => freeze(backends[part].pid));
  const responses = await during().finally(() => thaws.forEach((thaw) => thaw()));
  const slowest = responses.toSorted((a, b) => b.took - a.took);
  console.info(`${name}: ${responses.length} routes, slowest ${JSON.stringify(slowest.slice(0, 3))}`);
  expect(responses.filter(({ took }) => took > limit)).toEqual([]);
  const isDown = (one: RouteResponse) =>
    name === 'Temporal' ? needsTemporal(one) : !needsNoDatabase.includes(one.route);
  for (const one of responses) expect({ ...one, isDown: one.status === 503 }).toEqual({ ...one, isDown: isDown(one) });

  await eventually(async () => expect((await call(`${stack.baseUrl}/health`)).status).toBe(200));
  const normal = await after();
  expect(normal.filter(({ status }) => status >= 500)).toEqual([]);
  // The event of a finished artwork is delivered, so its URL cannot change.
  for (const { route, status } of normal.filter(({ route }) => !/^PATCH .*artworks|v1/.test(route)))
    expect({ route, isOk: status < 300 }).toEqual({ route, isOk: true });
});

/** Milliseconds of each response: each step ends just within its own timeout. */
const slowest = 1800;

test('responds within ten seconds while every step is slow, and a creation with a 503 makes no artwork', async () => {
  const { postgres, temporal } = backends;
  const slow = await Promise.all([
    startStallingAddress(`127.0.0.1:${postgres.port}`),
    startStallingAddress(temporal.address),
  ]);
  const [ofPostgres, ofTemporal] = slow;
  const url = new URL(stack.env['DATABASE_URL'] ?? '');
  url.host = ofPostgres.address;
  const env = { DATABASE_URL: url.href, TEMPORAL_ADDRESS: ofTemporal.address };
  const api = await startFurtherApi(stack, env);
  const existing = async () => {
    const rows = await db.em().find(Artwork, { status: { $ne: 'ABANDONED' } }, { fields: ['id'] });
    return rows.map(({ id }) => id).filter((id) => id.startsWith('art_'));
  };
  try {
    const round = await prepareRound(stack, db, receiver.url, api.baseUrl);
    // Opens the connections: opening one takes many responses.
    await (
      await prepareRound(stack, db, receiver.url, api.baseUrl)
    )();
    const before = await existing();
    for (const address of slow) address.slow(slowest);
    const responses = await round();
    for (const address of slow) address.slow(0);
    const sorted = responses.toSorted((a, b) => b.took - a.took);
    console.info(`slow: ${responses.length} routes, slowest ${JSON.stringify(sorted.slice(0, 5))}`);
    expect(sorted.filter(({ took }) => took > limit)).toEqual([]);
    const creations = responses.filter(({ route }) => /^POST .*(artworks\/[a-z-]+|style-dna)/.test(route));
    expect(creations.filter(({ status }) => status === 503).length).toBeGreaterThan(0);
    const created = responses.flatMap((one) => one.created ?? []);
    await eventually(async () => {
      const added = (await existing()).filter((id) => !before.includes(id));
      expect(added.sort()).toEqual(created.sort());
    });
  } finally {
    await api.stop();
    await Promise.all(slow.map((address) => address.close()));
  }
});

test('ends waits within ten seconds when PostgreSQL hangs meanwhile: 202 for an artwork, 503 for a synchronous request', async () => {
  const post = (path: string, body: object, headers = {}) =>
    call(`${stack.baseUrl}/v2/${path}`, { method: 'POST', key: stack.adminKey, body, headers });
  // Without workers, both wait.
  const resumeWorkers = stack.workers.map(({ pid }) => freeze(pid));
  const artwork = post('artworks/hamilton', { prompt: 'a boat' }, { prefer: 'wait=60' });
  const written = post('textcraft', { task: 'summarize', prompt: 'A long text. It ends.' });
  await eventually(async () => {
    const waiting = await db.em().find(Artwork, { status: 'STARTING' });
    expect(waiting.map(({ operation }) => operation).sort()).toEqual(['hamilton', 'textcraft']);
  });
  const thaw = freeze(backends.postgres.pid);
  const began = performance.now();
  const timed = async (response: typeof artwork) => ({ ...(await response), took: performance.now() - began });
  const both = await Promise.all([timed(artwork), timed(written)]).finally(() => {
    thaw();
    for (const resume of resumeWorkers) resume();
  });
  console.info(`waits end after ${both.map(({ took }) => Math.round(took)).join(' and ')} ms`);
  expect(both.map(({ status }) => status)).toEqual([202, 503]);
  for (const { took } of both) expect(took).toBeLessThan(limit);
  // The artwork is accepted; the synchronous request, whose result nobody can read, is gone.
  await eventually(async () => {
    expect(await db.em().find(Artwork, { operation: 'textcraft', status: 'STARTING' })).toEqual([]);
    expect(await db.em().find(Artwork, { operation: 'textcraft', status: 'PROCESSING' })).toEqual([]);
    expect((await read(stack, String(both[0].body['id']))).status).toBe('PROCESSING');
  });
});
