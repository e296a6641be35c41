/** Logs, histories and files after successes and failures: enough to follow an artwork, and no secrets. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { call, ended } from './support/client.ts';
import { apiKey, at, enginesEnv, flux } from './support/engines.ts';
import { eventually } from './support/eventually.ts';
import { textsOf } from './support/history-texts.ts';
import { operator } from './support/operator.ts';
import { raw } from './support/raw.ts';
import { type Receiver, startReceiver } from './support/receiver.ts';
import { shared, startSharedStack } from './support/shared.ts';
import type { Stack } from './support/stack.ts';
import { openTemporal, type TemporalClient } from './support/temporal.ts';
import { startFal } from './upstreams/fal.ts';
import type { UpstreamFake } from './upstreams/upstream-fake.ts';

interface Line {
  name: string;
  level: number;
  time: number;
  msg: string;
  step?: string;
  artworkId?: string;
  requestId?: string;
  req?: { method: string; path: string };
  res?: { statusCode: number };
}

const words = {
  prompt: 'quagga',
  negativePrompt: 'axolotl',
  metadata: 'quodlibet',
  hookToken: 'hooktoken4711',
  imageToken: 'imagetoken4712',
  wrongKey: 'atl_wrongwrongwrongwrongwrongwrongwrongwrongwrong',
  idempotencyKey: 'idempotent4713',
  label: 'labellabel4714',
  unknownField: 'fieldfield4715',
  fileName: 'filename4716',
  query: 'query4717',
};

let stack: Stack;
let receiver: Receiver;
let fal: UpstreamFake;
let temporal: TemporalClient;
let database: pg.Client;
const requestIds = new Map<string, string>();

beforeAll(async () => {
  fal = await startFal({ apiKey });
  receiver = await startReceiver((response, nth) => void response.writeHead(nth === 1 ? 500 : 200).end(words.query));
  stack = await startSharedStack({
    env: {
      ATELIER_WEBHOOK_SCHEDULE: '0s,1s,1s,1s',
      ATELIER_LOG_LEVEL: 'debug',
      ...enginesEnv(shared().folder, {
        engines: { fal: at('fal', fal) },
        models: { quantum: [flux], hamilton: [flux] },
      }),
    },
  });
  temporal = await openTemporal(stack);
  database = new pg.Client(stack.databaseUrl);
  await database.connect();
});
afterAll(async () => {
  await database.end();
  await temporal.close();
  await stack.stop();
  await Promise.all([receiver.close(), fal.close()]);
});

async function make(body: object, operation = 'selena'): Promise<string> {
  const requestId = `test-${operation}-${requestIds.size}`;
  const response = await call<{ id: string }>(`${stack.baseUrl}/v2/artworks/${operation}`, {
    method: 'POST',
    key: stack.adminKey,
    headers: { 'x-request-id': requestId, 'idempotency-key': `${words.idempotencyKey}-${requestIds.size}` },
    body: {
      prompt: `a ${words.prompt} by the sea`,
      width: 256,
      height: 256,
      metadata: { name: words.metadata },
      webhookUrl: `${receiver.url}?token=${words.hookToken}`,
      ...body,
    },
  });
  expect(response.status).toBe(202);
  requestIds.set(response.body.id, requestId);
  return response.body.id;
}

/** Sends requests that succeed and requests that fail, with words that must not appear in any log. */
async function sendRequests(): Promise<void> {
  const { baseUrl, adminKey: key, orgId } = stack;
  const good = await make({ promptMode: 'seer', negativePrompt: words.negativePrompt });
  expect((await receiver.until(good, 2)).length).toBe(2);
  await ended(stack, await make({}, 'quantum'));
  fal.fail('bad-request');
  await ended(stack, await make({}, 'quantum'));
  fal.fail('bad-key');
  await ended(stack, await make({}, 'quantum'));
  fal.fail('html', { times: 2 });
  await ended(stack, await make({}, 'hamilton'));
  const image = `https://localhost:1/${words.fileName}.png?sig=${words.imageToken}`;
  const body = { image, webhookUrl: `http://127.0.0.1:1/?token=${words.hookToken}` };
  const failing = await call<{ id: string }>(`${baseUrl}/v2/artworks/depth-map`, { method: 'POST', key, body });
  expect(failing.status).toBe(202);
  await ended(stack, failing.body.id);

  // Unexpected errors: PostgreSQL's message contains the rejected row, which contains the receiver's address.
  await database.query('alter table delivery add constraint wrong check (duration_ms < 0) not valid');
  const broken = await make({});
  await ended(stack, broken);
  await receiver.until(broken);
  await eventually(() => expect(linesOf('worker').some((line) => line.msg === 'deliver failed')).toBe(true));
  await database.query('alter table delivery drop constraint wrong');
  await database.query('alter table delivery rename to misplaced');
  const misplaced = await call(`${baseUrl}/v2/artworks/${broken}/deliveries`, { key });
  expect(misplaced.status).toBe(500);
  await database.query('alter table misplaced rename to delivery');

  await failStatements();

  await call(`${baseUrl}/v2/artworks/selena`, { key: words.wrongKey, method: 'POST', body: { prompt: words.prompt } });
  await call(`${baseUrl}/v2/artworks/selena`, { key, method: 'POST', body: { [words.unknownField]: words.prompt } });
  await call(`${baseUrl}/v2/artworks/selena`, { key, method: 'POST', body: `{"prompt": "${words.prompt}` });
  await call(`${baseUrl}/v2/artworks?query=${words.query}`, { key });
  const keys = `${baseUrl}/v2/organizations/${orgId}/api-keys`;
  const named = { label: words.label, scope: 'generator', domains: ['studio'] };
  expect((await call(keys, { method: 'POST', key, body: named })).status).toBe(201);
  const artwork = await ended(stack, good);
  expect((await fetch(artwork.images[0]!.url)).status).toBe(200);
  const form = new FormData();
  form.append('file', new Blob([words.prompt]), `${words.fileName}.png`);
  await fetch(`${baseUrl}/v2/files`, { method: 'POST', headers: { authorization: `Bearer ${key}` }, body: form });
  await raw(baseUrl, { path: `/v2/artworks/%ZZ?${words.query}`, headers: { cookie: words.query } });
  await call(`${baseUrl}/v2/textcraft`, { method: 'POST', key, body: { task: 'summarize', prompt: words.prompt } });
}

/** Makes statements fail that carry a prompt or a name: by a check, by a timeout, and by a key that exists. */
async function failStatements(): Promise<void> {
  const prompt = `a ${words.prompt} by the sea`;
  const creation = () =>
    call(`${stack.baseUrl}/v2/artworks/selena`, { method: 'POST', key: stack.adminKey, body: { prompt } });
  await database.query('alter table artwork add constraint wrong check (false) not valid');
  expect((await creation()).status).toBe(500);
  await database.query('alter table artwork drop constraint wrong');
  await database.query('begin');
  await database.query('lock table artwork in share mode');
  expect((await creation()).status).toBe(503);
  await database.query('rollback');
  const created = await operator(stack.env, 'organizations', 'create', words.label, '--id', stack.orgId);
  expect(created.stderr).toContain('already exists');
}

const fileOf = (name: string) =>
  readdirSync(stack.dataFolder).find((file) => file.includes(name) && file.endsWith('.log'));
const textOf = (name: string) => readFileSync(join(stack.dataFolder, fileOf(name) ?? ''), 'utf8');
const linesOf = (name: string) =>
  textOf(name)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);

/** Returns the texts of the history and details of each workflow of this stack. */
async function histories(): Promise<Map<string, string>> {
  const { client } = temporal;
  const found = new Map<string, string>();
  for await (const { workflowId } of client.workflow.list({ query: `TaskQueue = '${stack.taskQueue}'` })) {
    const handle = client.workflow.getHandle(workflowId);
    const { currentDetails } = await handle.query<{ currentDetails: string }>('__temporal_workflow_metadata');
    found.set(workflowId, [...textsOf(await handle.fetchHistory()), currentDetails].join('\n'));
  }
  return found;
}

test('no log and no history contains a key, a secret, a text of a client or the address of a receiver', async () => {
  await sendRequests();
  const recorded = await eventually(async () => {
    const all = await histories();
    expect([...requestIds.keys()].filter((id) => !all.has(id))).toEqual([]);
    return all;
  });
  const { folder } = shared();
  const places: Record<string, string> = {
    'the log of the API': textOf('api'),
    'the log of the worker': textOf('worker'),
    'the log of Temporal': readFileSync(join(folder, 'temporal.log'), 'utf8'),
    'the log of PostgreSQL': readFileSync(join(folder, 'postgres.log'), 'utf8'),
    ...Object.fromEntries([...recorded].map(([id, text]) => [`the history of ${id}`, text])),
  };
  const { rows } = await database.query<{ prefix: string }>('select prefix from api_key');
  const secrets = {
    ...words,
    secret: stack.secret,
    adminKey: stack.adminKey,
    webhookSecret: stack.webhookSecret.replace('whsec_', ''),
    providerKey: apiKey,
    signature: 'signature=',
    receiver: receiver.url,
    provider: fal.url,
    database: stack.databaseUrl,
  };
  expect(rows.length).toBeGreaterThan(1);
  for (const [place, text] of Object.entries(places)) {
    for (const [what, word] of Object.entries(secrets)) {
      const from = text.indexOf(word);
      expect({ place, what, near: from < 0 ? '' : text.slice(Math.max(from - 200, 0), from + 60) }).toEqual({
        place,
        what,
        near: '',
      });
    }
  }
  for (const error of ['violates check constraint "wrong"', 'canceling statement due to', 'duplicate key value'])
    expect(places['the log of PostgreSQL']).toContain(error);
  // The failed statements are there, with placeholders.
  expect(places['the log of PostgreSQL']).toMatch(/STATEMENT: {2}insert into "artwork" .*\$1/);
}, 180_000);

test('every request line of the API names the request and the artwork that it created', () => {
  const lines = linesOf('api').filter(({ req }) => req);
  expect(lines.length).toBeGreaterThan(20);
  for (const line of lines) expect(line).toMatchObject({ requestId: expect.any(String), res: expect.anything() });
  for (const [artworkId, requestId] of requestIds) {
    expect(lines).toContainEqual(expect.objectContaining({ artworkId, requestId, res: { statusCode: 202 } }));
    const reads = lines.filter(({ req }) => req?.path === `/v2/artworks/${artworkId}`);
    for (const line of reads) expect(line).toMatchObject({ artworkId });
  }
  const failed = linesOf('api').find(({ level, req }) => level === 50 && !req);
  expect(failed).toMatchObject({ msg: 'internal_error', requestId: expect.any(String) });
});

test('every step of the worker names its artwork and the request that created it', () => {
  const steps = linesOf('worker').filter(({ step }) => step);
  for (const [artworkId, requestId] of requestIds) {
    const own = steps.filter((line) => line.artworkId === artworkId);
    expect(own.map(({ step }) => step)).toEqual(expect.arrayContaining(['begin', 'perform', 'finish', 'deliver']));
    for (const line of own) expect(line).toMatchObject({ requestId });
  }
  expect(steps.filter(({ artworkId }) => artworkId === undefined)).toEqual([]);
});

test('a client cannot add a line to a log; each line is JSON with its process, level and time in UTC', async () => {
  const forged = '{"level":60,"msg":"forged"}';
  const path = `/v2/artworks/x%0A${encodeURIComponent(forged)}%E2%80%A8`;
  await raw(stack.baseUrl, { path, headers: { 'x-request-id': forged } });
  const isRead = ({ req }: Line) => req?.path.startsWith('/v2/artworks/x%0A') === true;
  await eventually(() => expect(linesOf('api').some(isRead)).toBe(true));
  for (const name of ['api', 'worker']) {
    for (const line of linesOf(name)) {
      expect(line).toMatchObject({ name: expect.any(String), level: expect.any(Number), msg: expect.any(String) });
      // Milliseconds since 1970 in UTC, whatever the time zone of the process.
      expect(Math.abs(Date.now() - line.time)).toBeLessThan(600_000);
      expect(line.level).toBeLessThan(60);
    }
  }
});

test('the folder of images is readable only by its owner', () => {
  const entries = readdirSync(join(stack.dataFolder, 'images'), { recursive: true, withFileTypes: true });
  expect(entries.some((entry) => entry.isFile())).toBe(true);
  for (const { parentPath, name } of entries) expect(statSync(join(parentPath, name)).mode & 0o077).toBe(0);
});
