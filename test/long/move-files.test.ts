/** `operator files move`: from the folder of a running service to a bucket, which then serves the same artworks. */
import { createHash } from 'node:crypto';
import { cp, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import { dataUri, photo } from '../../engines/local/test/photos.ts';
import { readConfig } from '../../runtime/config.ts';
import { tryLock } from '../../runtime/lock.mjs';
import type { ArtworkView } from '../../schemas/artwork.ts';
import { fileTimeouts } from '../../runtime/timeouts.ts';
import { openFiles } from '../../store/files.ts';
import { secret } from '../support/database.ts';
import { call, create, ended } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { operator, operatorProcess } from '../support/operator.ts';
import { startTestStore, type TestStore } from '../support/s3.ts';
import { startSharedStack } from '../support/shared.ts';
import { type Stack, startFurtherApi } from '../support/stack.ts';

// The first run on a machine builds the S3 server for minutes.
jest.setTimeout(900_000);

let store: TestStore;
let stack: Stack;
let folder: string;
let artworks: ArtworkView[];
let file: string;

beforeAll(async () => {
  [store, stack] = await Promise.all([startTestStore(), startSharedStack()]);
  // The SDK in this process reads them.
  Object.assign(process.env, store.env);
  folder = join(stack.dataFolder, 'images');
  const picture = await photo('coffee');
  const response = await fetch(`${stack.baseUrl}/v2/files`, {
    method: 'POST',
    headers: { authorization: `Bearer ${stack.adminKey}`, 'content-type': 'image/jpeg' },
    body: new Blob([new Uint8Array(picture)], { type: 'image/jpeg' }),
  });
  ({ id: file } = (await response.json()) as { id: string });
  const made = await Promise.all([file, dataUri(picture)].map((image) => create(stack, { image }, 'depth-map')));
  artworks = await Promise.all(made.map(({ id }) => ended(stack, id, 60_000)));
  // The image of the second request is removed just after the end.
  await eventually(async () => expect((await sourceFiles()).join()).not.toContain('input'));
});
afterEach(() => store.faults.fail(null));
afterAll(async () => {
  await stack.stop();
  await store.stop();
});

/** Files that the move must not copy: a folder without a row, and a draft. */
async function addRemains(): Promise<void> {
  await mkdir(join(folder, 'art_unknown'));
  await writeFile(join(folder, 'art_unknown', 'image-1.png'), 'x');
  await writeFile(join(folder, artworks[0]!.id, 'a.png.0a1b2c3d-0a1b-4c3d-8e5f-0a1b2c3d4e5f'), 'draft');
}

const env = () => ({ ...stack.env, ...store.env });
async function move(...args: string[]): Promise<Record<string, unknown>> {
  const { code, stdout, stderr } = await operator(env(), '--json', 'files', 'move', ...args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout) as Record<string, unknown>;
}

const keys = async () => (await store.list()).map((key) => key.replace('test/', ''));
const sourceFiles = async () =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => `${parentPath.slice(folder.length + 1)}/${name}`)
    .sort();

test('stops with one sentence while the store refuses, and continues when it is repeated', async () => {
  const before = await sourceFiles();
  await store.faults.fail('slow-down');
  const { code, stdout, stderr } = await operator(env(), 'files', 'move');
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/^The object storage is not available: \w+ failed \(\w+ 503\)\n$/);
  await store.faults.fail(null);
  await addRemains();
  expect(await move()).toEqual({
    ...{ from: folder, copied: before.length, bytes: expect.any(Number), alreadyThere: 0, withoutRow: 1 },
  });
  expect((await keys()).sort()).toEqual(before);
  // Nothing left the folder.
  expect((await sourceFiles()).length).toBe(before.length + 2);
});

test('skips files that the store has, and copies those of another size again', async () => {
  const [first, ...others] = await keys();
  const copy = join(stack.dataFolder, 'copy');
  await cp(folder, copy, { recursive: true });
  await writeFile(join(copy, first!), 'another size');
  expect(await move('--from', copy)).toMatchObject({ from: copy, copied: 1, bytes: 12, alreadyThere: others.length });
  expect(await move()).toMatchObject({ copied: 1, alreadyThere: others.length });
});

test('an API with the bucket serves the artworks of the folder, and their deletion empties the bucket', async () => {
  const api = await startFurtherApi(stack, store.env);
  try {
    for (const { images } of artworks) {
      const response = await fetch(images[0]!.url.replace(stack.baseUrl, api.baseUrl));
      const bytes = Buffer.from(await response.arrayBuffer());
      expect(createHash('sha256').update(bytes).digest('hex')).toBe(images[0]!.sha256);
    }
    // Workers must use the same store as the API.
    for (const worker of stack.workers) await worker.stop();
    await stack.startWorker(store.env);
    const [{ id }] = artworks as [ArtworkView];
    await call(`${api.baseUrl}/v2/artworks/${id}`, { method: 'DELETE', key: stack.adminKey });
    await eventually(async () => expect(await store.list(`test/${id}/`)).toEqual([]));
  } finally {
    await api.stop();
  }
});

test('--delete removes what the store has, and uploads nothing that the service has deleted there', async () => {
  const [deleted, kept] = artworks as [ArtworkView, ArtworkView];
  const [input] = (await store.list(`test/${kept.id}/`)).filter((key) => key.includes('/image'));
  const name = input!.split('/').at(-1)!;
  await (
    await openFiles(readConfig({ ...store.env, ATELIER_SECRET: secret }).files, { timeout: fileTimeouts.worker })
  ).delete(kept.id, name);
  const { code, stdout, stderr } = await operatorProcess(env(), 'files', 'move', '--delete');
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/^notInStore +1$/m);
  expect(await store.list(`test/${deleted.id}/`)).toEqual([]);
  // The first artwork is deleted, so its row is gone.
  expect((await readdir(folder)).sort()).toEqual([deleted.id, kept.id, 'art_unknown'].sort());
  expect(await readdir(join(folder, kept.id))).toEqual([name]);
  expect(await store.list(`test/${kept.id}/`)).toHaveLength(1);
  expect(await store.list(`test/${file}/`)).toHaveLength(1);
});

test('stops with one sentence while another move uses the folder', async () => {
  const lock = tryLock(`${folder}.moving`);
  const { code, stderr } = await operatorProcess(env(), 'files', 'move', '--delete');
  if (lock.held) lock.release();
  expect([code, stderr]).toEqual([1, `The process ${process.pid} is moving ${folder}. Wait until it ends.\n`]);
  expect(await move('--delete')).toMatchObject({ deleted: 0, notInStore: 1 });
});

test('names the folder when it does not exist', async () => {
  const { code, stderr } = await operator(env(), 'files', 'move', '--from', '/no/such/folder');
  expect([code, stderr]).toEqual([1, 'The folder /no/such/folder does not exist. Set ATELIER_DATA or --from.\n']);
});

test('check succeeds where the store works, and names the step that fails', async () => {
  const before = await store.list();
  const works = await operator(env(), '--json', 'files', 'check');
  expect([works.code, JSON.parse(works.stdout)]).toEqual([0, { works: true, durationMs: expect.any(Number) }]);
  expect(await store.list()).toEqual(before);
  expect((await operator(stack.env, 'files', 'check')).code).toBe(0);
  await store.faults.fail('forbidden');
  expect(await operator(env(), 'files', 'check')).toEqual({
    ...{ code: 1, stdout: '' },
    stderr: 'The object storage is not available: write failed (AccessDenied 403)\n',
  });
  await store.faults.fail(null);
  const other = await operator({ ...env(), ATELIER_FILES: 's3://no-such-bucket' }, 'files', 'check');
  expect(other).toMatchObject({ code: 1, stderr: expect.stringContaining('write failed (NoSuchBucket 404)') });
});

test('names ATELIER_FILES when it is empty', async () => {
  const { code, stderr } = await operator(stack.env, 'files', 'move');
  expect([code, stderr]).toEqual([
    1,
    'ATELIER_FILES names no object storage. Set it to an address such as s3://bucket.\n',
  ]);
});
