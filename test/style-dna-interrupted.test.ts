/** A worker that dies between two stages of an artwork repeats no finished stage. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Accepted } from '../schemas/artwork.ts';
import { findKeyBySecret } from '../store/keys.ts';
import { call, ended } from './support/client.ts';
import { eventually } from './support/eventually.ts';
import { openTestDatabase } from './support/open-database.ts';
import { startSharedStack } from './support/shared.ts';
import type { Stack } from './support/stack.ts';
import { encodedStyle } from './support/styles.ts';
import { timed } from './support/timed.ts';

let stack: Stack;
let styleDnaId: string;

beforeAll(async () => {
  // The second stage takes long enough to be interrupted.
  stack = await startSharedStack(timed({ 'style-dna': 0, 'remove-background': 3000 }));
  const db = openTestDatabase(stack.databaseUrl);
  const key = await findKeyBySecret(db, stack.adminKey, new Date());
  styleDnaId = await encodedStyle(db, { org: stack.orgId, key: key!.id });
  await db.close();
});
afterAll(() => stack.stop());

test('a worker killed after the drawing does not draw again', async () => {
  const body = { styleDnaId, prompt: 'a boat', width: 256, height: 256, backgroundMode: 'transparent' };
  const url = `${stack.baseUrl}/v2/style-dna/generate/asset`;
  const accepted = await call<Accepted>(url, { method: 'POST', key: stack.adminKey, body });
  const { id } = accepted.body;
  const folder = join(stack.dataFolder, 'images', id);
  const drawn = await eventually(async () => {
    const file = (await readdir(folder)).find((name) => /^draw-1\.[0-9a-f]{8}\.png$/.test(name));
    if (!file) throw new Error('not drawn yet');
    return file;
  }, 50_000);
  process.kill(stack.workers[0]!.pid, 'SIGKILL');
  stack.workers = [await stack.startWorker()];
  expect((await ended(stack, id, 50_000)).status).toBe('SUCCEEDED');
  expect((await readdir(folder)).filter((name) => name.startsWith('draw-1'))).toEqual([drawn]);
});
