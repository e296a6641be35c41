/** A beginning or a success that the database will not keep is a failure, told like any other. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { create, ended } from '../support/client.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { startSharedStack } from '../support/shared.ts';
import type { Stack } from '../support/stack.ts';

let stack: Stack;
let receiver: Receiver;

beforeAll(async () => {
  [stack, receiver] = await Promise.all([startSharedStack({ workerEntry: 'bench/instant.ts' }), startReceiver()]);
  const sql = new pg.Client(stack.databaseUrl);
  await sql.connect();
  await sql.query(`create function refuse() returns trigger language plpgsql as $$
    begin raise exception 'nothing that anybody has foreseen'; end $$`);
  await sql.query(`create trigger refuse before update on artwork for each row
    when (new.status = 'SUCCEEDED' or new.status = 'PROCESSING' and new.prompt = 'never begun') execute function refuse()`);
  await sql.end();
});
afterAll(async () => {
  await stack.stop();
  await receiver.close();
});

test.each(['never begun', 'never ended'])('%s: what fails for good is FAILED, and told', async (prompt) => {
  const body = { prompt, width: 256, height: 256, webhookUrl: receiver.url };
  const { id } = await create(stack, body);
  const artwork = await ended(stack, id, 50_000);
  expect(artwork).toMatchObject({ status: 'FAILED', errorCode: 'internal_error', images: [] });
  const [delivery] = await receiver.until(id);
  expect(delivery!.event).toMatchObject({ type: 'artwork.failed', status: 'FAILED' });
});
