/** Workflows that the service has not started, with ids that it does not create: their activities touch nothing. */
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { WorkflowFailedError } from '@temporalio/client';
import { newId } from '../../store/ids.ts';
import { joinService } from '../support/shared.ts';
import type { Service } from '../support/stack.ts';
import { openTemporal, type TemporalClient } from '../support/temporal.ts';

let service: Service;
let temporal: TemporalClient;
let images: string;
/** An artwork of another client. */
const other = newId('art');

beforeAll(async () => {
  service = await joinService('quick');
  temporal = await openTemporal(service);
  images = join(service.dataFolder, 'images');
  await mkdir(join(images, other), { recursive: true });
  await writeFile(join(images, other, 'a.png'), 'a');
});
afterAll(() => temporal.close());

/** Returns the message and the type of the failure with which a workflow ends. */
async function failureOf(type: string, input: object): Promise<unknown> {
  const { taskQueue } = service;
  const options = { workflowId: newId('req'), taskQueue, args: [input] };
  const failed = (await temporal.client.workflow.execute(type, options).catch((error: unknown) => error)) as
    WorkflowFailedError | undefined;
  const { message, type: code } = (failed?.cause?.cause ?? failed?.cause) as Error & { type: string };
  return { message, code };
}

const ofArtwork = { message: 'The id must begin with art_ or ans_', code: 'invalid_id' };
const ofFile = { message: 'The id must begin with file_', code: 'invalid_id' };

test.each([
  ['purgeFile', '', ofFile],
  ['purgeFile', '.', ofFile],
  ['purgeFile', '../images', ofFile],
  ['purgeFile', 'file_', ofFile],
  ['purgeFile', other, ofFile],
  ['artwork', '', ofArtwork],
  ['artwork', '..', ofArtwork],
  ['artwork', newId('file'), ofArtwork],
  ['artwork', `${newId('art')}/../${other}`, ofArtwork],
  ['answer', '', ofArtwork],
])('%s with the id %p fails and removes no file', async (type, id, failure) => {
  const input = { id, orgId: service.orgId, keyId: 'key_nobody', operation: 'selena', schedule: [0] };
  expect(await failureOf(type, { ...input, expiresAt: Date.now() })).toEqual(failure);
  expect(await readdir(join(images, other))).toEqual(['a.png']);
});

test('a workflow without an id fails, too', async () => {
  expect(await failureOf('purgeFile', {})).toEqual(ofFile);
});
