/** A call that several workers make at once, or that outlives its artwork, stores one result and leaves no other file. */
import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Dependencies } from '../../activities/dependencies.ts';
import { codeOf, toFailure } from '../../activities/failures.ts';
import { finish } from '../../activities/finish.ts';
import { perform } from '../../activities/perform.ts';
import { purge } from '../../activities/purge.ts';
import { createCatalogue } from '../../engines/catalogue.ts';
import type { Engine, EngineResult } from '../../engines/contract/index.ts';
import { createLogger } from '../../runtime/log.ts';
import { createWorkerMetrics } from '../../runtime/metrics.ts';
import type { Ending } from '../../schemas/workflow.ts';
import { findArtwork, insertArtwork } from '../../store/artworks.ts';
import { findImages } from '../../store/results.ts';
import { openDatabase } from '../../store/database.ts';
import { openFolder } from '../../store/files/folder.ts';
import { newId } from '../../store/ids.ts';
import { findKeyBySecret } from '../../store/keys.ts';
import { openLinks } from '../../store/links.ts';
import { openVault } from '../../store/vault.ts';
import { drawing } from '../support/artworks.ts';
import { startSharedStack } from '../support/shared.ts';
import type { Stack } from '../support/stack.ts';

let stack: Stack;
let keyId: string;
let folder: string;
let shared: Omit<Dependencies, 'catalogue' | 'outbound'>;

beforeAll(async () => {
  stack = await startSharedStack({ apis: 0, workers: 0 });
  folder = join(stack.dataFolder, 'images');
  const vault = openVault(stack.secret);
  shared = {
    db: openDatabase({ url: stack.databaseUrl, name: 'test' }),
    files: openFolder(folder),
    links: openLinks(vault, 'http://127.0.0.1'),
    vault,
    taskQueue: 'test',
    now: Date.now,
    newId: (prefix) => newId(prefix),
    metrics: createWorkerMetrics(),
    log: createLogger('test', 'silent'),
    explainDatabaseError: () => false,
  };
  keyId = (await findKeyBySecret(shared.db, stack.adminKey))!.id;
});
afterAll(async () => {
  await shared.db.close();
  await stack.stop();
});

/** Returns dependencies with an engine that runs `meanwhile` and then returns different bytes for every call. */
function dependencies(
  meanwhile: () => Promise<unknown> = () => Promise.resolve(),
  limits?: { concurrent: number },
): Dependencies {
  const engine: Engine = {
    name: 'random',
    tasks: ['text-to-image'],
    async run(): Promise<EngineResult> {
      await meanwhile();
      const image = { bytes: randomBytes(2000), contentType: 'image/png', width: 64, height: 64, seed: null } as const;
      return { model: 'test/random', images: [image, { ...image, bytes: randomBytes(2000) }] };
    },
    close: () => Promise.resolve(),
  };
  const catalogue = createCatalogue({
    models: { selena: { task: 'text-to-image', bindings: [{ engine: 'random', timeout: 1000 }] } },
    sources: {
      random: { load: () => Promise.resolve(engine), role: 'providers', concurrency: 1, ...(limits && { limits }) },
    },
  });
  return {
    ...shared,
    catalogue,
    outbound: {
      post: () => Promise.reject(new Error()),
      get: () => Promise.reject(new Error()),
      close: () => Promise.resolve(),
    },
  };
}

async function artwork(): Promise<string> {
  const id = newId('art');
  const now = new Date();
  const plan = { prompt: null, stages: [{ name: 'generate', calls: [drawing] }] };
  const names = { id, org: stack.orgId, key: keyId, operation: 'selena', domain: 'artworks-internal' as const };
  await insertArtwork(shared.db, {
    ...names,
    input: {},
    plan,
    metadata: {},
    webhookUrl: null,
    createdAt: now,
    expiresAt: new Date(now.getTime() + 60_000),
  });
  return id;
}

/** Returns dependencies whose folder cannot be written, and a clock by which every look takes half a minute. */
async function withBrokenFolder(limits?: { concurrent: number }): Promise<{ deps: Dependencies; runs(): number }> {
  const file = join(folder, `file-${newId('art')}`);
  await mkdir(folder, { recursive: true });
  await writeFile(file, '');
  let runs = 0;
  let time = Date.now();
  const deps = dependencies(() => Promise.resolve(++runs), limits);
  return { deps: { ...deps, files: openFolder(file), now: () => (time += 30_000) }, runs: () => runs };
}

const run = (id: string, deps: Dependencies) =>
  perform(deps, { id, callId: 'image-1', attempt: 1 }, new AbortController().signal);
const succeeded: Ending = { status: 'SUCCEEDED', failure: null, failures: [] };
const onDisk = (id: string) => readdir(join(folder, id)).catch(() => null);

test('stores one of several concurrent results, and exactly its files', async () => {
  const id = await artwork();
  await Promise.all(Array.from({ length: 8 }, () => run(id, dependencies())));
  const images = await findImages(shared.db, id);
  expect(images).toHaveLength(2);
  expect(await onDisk(id)).toEqual(images.map(({ name }) => name));
  for (const { name, sha256, bytes } of images) {
    const file = await readFile(join(folder, id, name));
    expect({ bytes: file.byteLength, sha256: createHash('sha256').update(file).digest('hex') }).toEqual({
      bytes,
      sha256,
    });
  }
});

test('discards a result that arrives after the end; the artwork still equals its event', async () => {
  const id = await artwork();
  await run(
    id,
    dependencies(() => finish(dependencies(), { id, ending: succeeded })),
  );
  expect(await findImages(shared.db, id)).toEqual([]);
  expect(await onDisk(id)).toEqual([]);
  const event = JSON.parse((await findArtwork(shared.db, id))!.eventBody!) as { images: unknown };
  expect(event.images).toEqual([]);
});

test('leaves no files for a result that arrives after the purge', async () => {
  const id = await artwork();
  await run(
    id,
    dependencies(() => purge(dependencies(), { id })),
  );
  expect(await findArtwork(shared.db, id)).toBeNull();
  expect(await onDisk(id)).toBeNull();
});

test('ends an artwork once, with one event', async () => {
  const id = await artwork();
  await Promise.all(Array.from({ length: 5 }, () => finish(dependencies(), { id, ending: succeeded })));
  const once = await findArtwork(shared.db, id);
  await finish(dependencies(), { id, ending: { ...succeeded, status: 'CANCELED' } });
  expect(await findArtwork(shared.db, id)).toEqual(once);
  expect(JSON.parse(once!.eventBody!)).toMatchObject({ id, eventId: once!.eventId, type: 'artwork.succeeded' });
});

test('fails for good when a paid result of a direct provider cannot be stored for a minute', async () => {
  const id = await artwork();
  const { deps, runs } = await withBrokenFolder({ concurrent: 1 });
  const error = await run(id, deps).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ name: 'EngineError', code: 'internal_error', isFinal: true });
  expect(runs()).toBe(1);
  expect(await findImages(shared.db, id)).toEqual([]);
});

test('can be repeated when a result that costs nothing cannot be stored', async () => {
  const id = await artwork();
  const { deps } = await withBrokenFolder();
  const error = await run(id, deps).catch((reason: unknown) => reason);
  expect(codeOf(error)).toBe('unavailable');
  expect(toFailure(error, true)).toMatchObject({ type: 'unavailable', nonRetryable: false });
  await run(id, dependencies());
  expect(await findImages(shared.db, id)).toHaveLength(2);
});
