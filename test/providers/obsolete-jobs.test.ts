/** Jobs whose artwork was canceled, deleted or timed out: each is canceled at its provider, however often that fails. */
import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import pg from 'pg';
import { image } from '../engines/upstream/bench.ts';
import { call, create, ended } from '../support/client.ts';
import { apiKey, at, enginesEnv, flux } from '../support/engines.ts';
import { eventually } from '../support/eventually.ts';
import { findRemains, nothing } from '../support/remains.ts';
import { shared, startSharedStack } from '../support/shared.ts';
import { openTemporal } from '../support/temporal.ts';
import type { Stack } from '../support/stack.ts';
import { timed } from '../support/timed.ts';
import { type FalFake, startFal } from '../upstreams/fal.ts';
import type { QueueFake } from '../upstreams/queue-fake.ts';
import { startReplicate } from '../upstreams/replicate.ts';

// These tests start processes, which takes long on a busy machine.
jest.setTimeout(180_000);

/** `selena-variete` at Replicate. */
const vary = {
  engine: 'replicate',
  model: 'black-forest-labs/flux-dev',
  input: { prompt: { from: 'styledPrompt' }, image: { from: 'image' } },
};

let fal: FalFake;
let replicate: QueueFake;
let stack: Stack;
let sql: pg.Client;

beforeAll(async () => {
  [fal, replicate] = await Promise.all([startFal({ apiKey }), startReplicate({ apiKey })]);
  const env = enginesEnv(shared().folder, {
    engines: { fal: at('fal', fal), replicate: at('replicate', replicate) },
    models: { selena: [flux], quantum: [{ ...flux, timeout: '1s' }], 'selena-variete': [vary] },
  });
  stack = await startSharedStack(timed({}, env));
  sql = new pg.Client(stack.databaseUrl);
  await sql.connect();
});
afterEach(() => {
  for (const fake of [fal, replicate]) {
    fake.fail(null);
    fake.release();
  }
});
afterAll(async () => {
  await sql.end();
  await stack.stop();
  await Promise.all([fal.close(), replicate.close()]);
});

const body = { prompt: 'a boat on a lake', width: 256, height: 256 };
const request = (path: string, method: string) =>
  call(`${stack.baseUrl}/v2/artworks/${path}`, { method, key: stack.adminKey });
const obsolete = async () => (await sql.query<Record<string, unknown>>('select * from obsolete_job')).rows;
const cancels = () => fal.requests.filter(({ path }) => path.endsWith('/cancel'));

/** Creates an artwork whose job runs until it is canceled. Returns its id. */
async function createHeld(operation = 'selena'): Promise<string> {
  const before = fal.counts.reads;
  fal.hold();
  const { id } = await create(stack, body, operation);
  await eventually(() => expect(fal.counts.reads).toBeGreaterThan(before));
  return id;
}

test('the cancellation of a canceled artwork is repeated after the time that the provider requests', async () => {
  const id = await createHeld();
  const before = cancels().length;
  fal.fail('busy', { at: 'cancel', times: 2 });
  expect((await request(`${id}/cancel`, 'POST')).status).toBe(202);
  await eventually(() => expect(cancels().length - before).toBe(3), 30_000);
  await eventually(async () => expect(await obsolete()).toEqual([]));
  const made = cancels().slice(before);
  expect(made).toHaveLength(3);
  expect(new Set(made.map(({ path }) => path)).size).toBe(1);
  // Retry-After: 1
  const pauses = made.slice(1).map(({ at }, index) => at - made[index]!.at);
  for (const pause of pauses) expect(pause).toBeGreaterThanOrEqual(950);
});

test('the job of a deleted artwork is canceled after its rows are gone and its worker is killed', async () => {
  const id = await createHeld();
  const before = cancels().length;
  fal.fail('unavailable', { at: 'cancel' });
  expect((await request(id, 'DELETE')).status).toBe(204);
  await eventually(() => expect(cancels().length).toBeGreaterThan(before));
  await eventually(async () => expect((await findRemains(stack, sql, id)).rows).toEqual(nothing.rows), 30_000);
  const [kept, ...others] = await obsolete();
  expect(others).toEqual([]);
  expect(kept).toMatchObject({ engine: 'fal', model: 'selena', is_ended: false });
  // Nothing of the client.
  expect(JSON.stringify(kept)).not.toMatch(new RegExp(`${id}|boat`));
  await stack.stopWorkers({ signal: 'SIGKILL' });
  fal.fail(null);
  const failed = cancels().length;
  stack.workers.push(await stack.startWorker());
  await eventually(() => expect(cancels().length).toBeGreaterThan(failed), 60_000);
  await eventually(async () => expect(await obsolete()).toEqual([]));
});

test('the job of an artwork that an API of 2.6.2 has canceled is canceled, too', async () => {
  const id = await createHeld();
  const before = cancels().length;
  // Such an API ends the artwork itself after its signal, and leaves the job to the worker.
  await sql.query(`update artwork set status = 'CANCELED', finished_at = now(), plan = null where id = $1`, [id]);
  const { client, close } = await openTemporal(stack);
  await client.workflow.getHandle(id).signal('cancel');
  await close();
  await eventually(() => expect(cancels().length - before).toBe(1), 30_000);
});

test('a job that timed out is canceled although the first requests get no response', async () => {
  const before = cancels().length;
  fal.fail('reset', { at: 'cancel', times: 2 });
  const id = await createHeld('quantum');
  expect(await ended(stack, id, 60_000)).toMatchObject({ status: 'FAILED', errorCode: 'provider_timeout' });
  await eventually(() => expect(cancels().length - before).toBe(3), 30_000);
  await eventually(async () => expect(await obsolete()).toEqual([]));
});

test('after its result is stored, the files of a job are deleted, and the job is not canceled', async () => {
  const before = replicate.counts.cancels;
  const { bytes } = await image({ isLarge: true });
  const request = { image: `data:image/png;base64,${Buffer.from(bytes).toString('base64')}`, prompt: 'at dusk' };
  expect((await ended(stack, (await create(stack, request, 'selena-variete')).id, 60_000)).status).toBe('SUCCEEDED');
  expect(replicate.counts.uploads).toBe(1);
  const files = () => replicate.requests.map(({ path }) => path).filter((path) => path.startsWith('/files/f'));
  await eventually(() => expect(files()).toEqual(['/files/f0']), 30_000);
  await eventually(async () => expect(await obsolete()).toEqual([]));
  expect(replicate.counts.cancels).toBe(before);
});
