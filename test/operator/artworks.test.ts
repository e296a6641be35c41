/** `operator artworks …`. */
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { findKeyBySecret, revokeKey } from '../../store/keys.ts';
import type { Database } from '../../store/database.ts';
import { call, create, ended, read } from '../support/client.ts';
import { apiKey, at, enginesEnv, flux } from '../support/engines.ts';
import { eventually } from '../support/eventually.ts';
import { openTestDatabase } from '../support/open-database.ts';
import { operator, operatorProcess } from '../support/operator.ts';
import { dataUri, photo } from '../../engines/local/test/photos.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { shared, startSharedStack } from '../support/shared.ts';
import type { Stack } from '../support/stack.ts';
import { openTemporal } from '../support/temporal.ts';
import { startFal } from '../upstreams/fal.ts';
import type { UpstreamFake } from '../upstreams/upstream-fake.ts';

let stack: Stack;
let fal: UpstreamFake;
let receiver: Receiver;
let db: Database;

beforeAll(async () => {
  [fal, receiver] = await Promise.all([startFal({ apiKey }), startReceiver()]);
  const variation = {
    ...{ engine: 'fal', model: 'fal-ai/flux/dev' },
    ...{ input: { image_url: { from: 'image' as const } }, output: { images: '/images/*/url' } },
  };
  const models = { selena: [flux], 'selena-variete': [variation] };
  const env = enginesEnv(shared().folder, { engines: { fal: at('fal', fal) }, models });
  stack = await startSharedStack({ env });
  db = openTestDatabase(stack.databaseUrl);
});
afterEach(() => {
  fal.fail(null);
  fal.release();
});
afterAll(async () => {
  await db.close();
  await stack.stop();
  await Promise.all([fal.close(), receiver.close()]);
});

const small = { prompt: 'a boat on a lake', width: 256, height: 256 };
const run = (...args: string[]) => operator(stack.env, 'artworks', ...args);
async function json<T = Record<string, unknown>>(...args: string[]): Promise<T> {
  const { code, stdout, stderr } = await run(...args, '--json');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout) as T;
}
async function refused(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await run(...args);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).not.toContain('    at ');
  return stderr.trim();
}

const make = async (fields: object = {}) => (await create(stack, { ...small, webhookUrl: receiver.url, ...fields })).id;
async function failed(): Promise<string> {
  fal.fail('moderation');
  const id = await make({ metadata: { order: '4711' } });
  expect((await ended(stack, id)).status).toBe('FAILED');
  fal.fail(null);
  return id;
}

test('list and show describe artworks without any text of the client', async () => {
  const id = await make({ prompt: 'a very secret zebra' });
  await receiver.until(id);
  const bad = await failed();
  const all = await json<{ id: string }[]>('list', '--org', stack.orgId);
  expect(all.map((one) => one.id)).toEqual([bad, id]);
  expect(await json('list', '--status', 'FAILED', '--operation', 'selena')).toMatchObject([
    { id: bad, orgId: stack.orgId, status: 'FAILED', errorCode: 'content_refused' },
  ]);
  expect(await json('list', '--limit', '1')).toHaveLength(1);
  expect(await json('list', '--org', 'org_none')).toEqual([]);
  const { code, stdout } = await operatorProcess(stack.env, 'artworks', 'list', '--json');
  expect([code, JSON.parse(stdout)]).toEqual([0, all]);
  const shown = await eventually(async () => {
    const one = await json<{ deliveries: object[] }>('show', id);
    expect(one.deliveries).toHaveLength(1);
    return one;
  });
  expect(shown).toMatchObject({
    ...{ id, status: 'SUCCEEDED', operation: 'selena', webhook: true },
    calls: [{ call: 'image-1', model: 'fal/fal-ai/flux/dev' }],
    jobs: [{ engine: 'fal', submissions: 1 }],
    deliveries: [{ attempt: 1, status: 200, error: null, nextAt: null }],
  });
  const words = JSON.stringify(shown) + (await run('show', id)).stdout;
  expect(words).not.toMatch(/zebra|http/);
  expect(await refused('show', 'art_none')).toBe('There is no artwork art_none. Check the id.');
});

test('redeliver sends the same event again', async () => {
  const id = await make();
  await receiver.until(id);
  expect(await json('redeliver', id)).toEqual({ id, redelivery: 'scheduled' });
  const [first, second] = await receiver.until(id, 2);
  expect(second!.raw).toEqual(first!.raw);
  fal.hold();
  const running = await make({ webhookUrl: undefined });
  expect(await refused('redeliver', running)).toContain('created without a webhookUrl');
  expect(await refused('redeliver', await make())).toContain('has not ended');
});

test('cancel ends an artwork and sends its event', async () => {
  fal.hold();
  const id = await make();
  await eventually(async () => expect((await read(stack, id)).status).toBe('PROCESSING'));
  expect(await json('cancel', id)).toEqual({ id, status: 'CANCELED' });
  const [first] = await receiver.until(id);
  expect(first!.event.type).toBe('artwork.canceled');
  expect(await refused('cancel', id)).toContain('has already ended and cannot be canceled');
  const withoutTemporal = { ...stack.env, TEMPORAL_ADDRESS: '127.0.0.1:1' };
  const { code, stderr } = await operator(withoutTemporal, 'artworks', 'cancel', id);
  expect([code, stderr]).toEqual([1, expect.stringContaining('has already ended and cannot be canceled')]);
});

test('says that the Temporal server cannot be reached', async () => {
  fal.hold();
  const id = await make();
  const withoutTemporal = { ...stack.env, TEMPORAL_ADDRESS: '127.0.0.1:1' };
  const { code, stderr } = await operator(withoutTemporal, 'artworks', 'cancel', id);
  expect([code, stderr]).toEqual([1, expect.stringContaining('127.0.0.1:1')]);
  expect(stderr).not.toContain('    at ');
});

test('cancel releases the credits of an artwork whose workflow was terminated, and redeliver sends its event', async () => {
  fal.hold();
  const id = await make();
  await eventually(async () => expect((await read(stack, id)).status).toBe('PROCESSING'));
  const temporal = await openTemporal(stack);
  await temporal.client.workflow.getHandle(id).terminate();
  await temporal.close();
  expect(await json('cancel', id)).toMatchObject({ id, status: 'CANCELED', workflow: expect.stringContaining('gone') });
  expect((await read(stack, id)).status).toBe('CANCELED');
  // A redelivery starts the workflow again.
  expect(await json('redeliver', id)).toEqual({ id, redelivery: 'scheduled' });
  expect((await receiver.until(id))[0]!.event.type).toBe('artwork.canceled');
});

test('retry creates a new artwork of the same request and key', async () => {
  const id = await failed();
  const before = await read(stack, id);
  const made = await json<{ id: string; retried: string }>('retry', id);
  expect(made).toMatchObject({ status: 'STARTING', retried: id });
  const artwork = await ended(stack, made.id);
  expect(artwork).toMatchObject({ status: 'SUCCEEDED', input: before.input, metadata: { order: '4711' } });
  expect(artwork.images[0]!.seed).toBe(before.input['seed']);
  expect((await receiver.until(made.id))[0]!.event.type).toBe('artwork.succeeded');
  expect(await read(stack, id)).toEqual(before);
  expect(await refused('retry', made.id)).toContain('is SUCCEEDED. Only failed artworks');
});

test('retry says why it is impossible', async () => {
  fal.fail('moderation');
  const body = { image: dataUri(await photo('chelsea')) };
  const { id } = await create(stack, body, 'selena-variete');
  expect((await ended(stack, id)).status).toBe('FAILED');
  expect(await refused('retry', id)).toContain('images came inside the request');
  const made = await call(`${stack.baseUrl}/v2/organizations/${stack.orgId}/api-keys`, {
    ...{ method: 'POST', key: stack.adminKey },
    body: { label: 'gone', scope: 'generator', domains: ['artworks-internal'] },
  });
  const service = { baseUrl: stack.baseUrl, adminKey: String(made.body['apiKey']) };
  const orphan = (await create(service, small)).id;
  expect((await ended(service, orphan)).status).toBe('FAILED');
  const key = await findKeyBySecret(db, service.adminKey, new Date());
  await revokeKey(db, key!.id, new Date());
  expect(await refused('retry', orphan)).toContain('is revoked');
});
