/** `operator engines`: bindings, errors with their lines, and providers or a Temporal server that do not respond. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { apiKey, at, enginesEnv, flux, schnell } from '../support/engines.ts';
import { operatorProcess } from '../support/operator.ts';
import { ownDatabase, type OwnDatabase, secret } from '../support/database.ts';
import { shared } from '../support/shared.ts';
import { startFal } from '../upstreams/fal.ts';
import { startReplicate } from '../upstreams/replicate.ts';
import type { UpstreamFake } from '../upstreams/upstream-fake.ts';

let fal: UpstreamFake;
let replicate: UpstreamFake;
let own: OwnDatabase;
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  [fal, replicate] = await Promise.all([startFal({ apiKey }), startReplicate({ apiKey: 'another key' })]);
  own = await ownDatabase();
  const engines = enginesEnv(shared().folder, {
    engines: { fal: at('fal', fal), replicate: at('replicate', replicate) },
    models: { selena: [{ ...flux, priceClass: 'standard' }, schnell, { engine: 'local' }] },
  });
  env = { ...engines, DATABASE_URL: own.url, ATELIER_SECRET: secret };
});
afterAll(async () => {
  await own.sql.end();
  await Promise.all([fal.close(), replicate.close()]);
});

const run = (...args: string[]) =>
  operatorProcess({ ...process.env, NODE_OPTIONS: '', ...env }, '--json', 'engines', ...args);

test('shows the binding of each model', async () => {
  const { code, stdout } = await run('check');
  expect(code).toBe(0);
  const rows = JSON.parse(stdout) as object[];
  const task = 'text-to-image';
  expect(rows).toContainEqual({ model: 'selena', task, engines: ['fal (standard)', 'replicate', 'local'] });
  expect(rows).toContainEqual({ model: 'upscaling', task: 'upscale', engines: ['local-large'] });
});

test('calls each provider and shows the error of one that fails', async () => {
  const { code, stdout } = await run('check', '--live');
  expect(code).toBe(1);
  expect((JSON.parse(stdout) as { engines: object[] }).engines).toEqual([
    { engine: 'fal', ok: true, error: null },
    { engine: 'replicate', ok: false, error: 'replicate rejected our API key (401)' },
  ]);
  expect(fal.counts.submissions).toBe(0);
});

test('names each error of another file with its line', async () => {
  const file = join(shared().folder, 'wrong.json');
  writeFileSync(file, '{\n"engines": {},\n"models": {\n"selena": [{ "engine": "fal" }]\n}\n}');
  const { code, stderr } = await run('check', '--file', file);
  expect([code, stderr]).toEqual([1, `${file}:4 /models/selena/0/engine there is no engine "fal" under "engines"\n`]);
});

test('rejects pausing an engine without a provider', async () => {
  const { code, stderr } = await run('pause', 'local');
  expect([code, stderr]).toEqual([1, 'local is not an engine of a provider. Name one of: fal, replicate.\n']);
});

test('list names the address of a Temporal server that does not respond', async () => {
  // No process listens on port 1.
  const address = '127.0.0.1:1';
  const unreachable = { ...process.env, NODE_OPTIONS: '', ...env, TEMPORAL_ADDRESS: address };
  const { code, stderr } = await operatorProcess(unreachable, 'engines', 'list');
  const message = `The Temporal server at ${address} does not respond. Check TEMPORAL_ADDRESS.\n`;
  expect([code, stderr]).toEqual([1, message]);
});
