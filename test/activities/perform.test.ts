/** A call that several workers make at once, or that outlives its artwork, stores one result and leaves no other file. */
import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import type { Dependencies } from '../../activities/dependencies.ts';
import { codeOf, toFailure } from '../../activities/failures.ts';
import { finish } from '../../activities/finish.ts';
import { perform } from '../../activities/perform.ts';
import { noPermit } from '../../activities/poll-permits.ts';
import { purge } from '../../activities/purge.ts';
import type { EngineSource } from '../../engines/catalogue.ts';
import type { Engine, EngineResult } from '../../engines/contract/index.ts';
import type { Ending } from '../../schemas/workflow.ts';
import { findArtwork } from '../../store/artworks.ts';
import { findImages } from '../../store/results.ts';
import { openFolder } from '../../store/files/folder.ts';
import { newId } from '../../store/ids.ts';
import { setUpPerform } from './perform-bench.ts';

const bench = setUpPerform();

/** Returns dependencies with an engine that runs `meanwhile` and then returns different bytes for every call. */
function dependencies(
  meanwhile: () => Promise<unknown> = () => Promise.resolve(),
  source?: Partial<EngineSource>,
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
  return bench.dependencies(engine, source);
}

/** Returns dependencies whose folder cannot be written, and a clock by which every look takes twenty minutes. */
async function withBrokenFolder(source?: Partial<EngineSource>): Promise<{ deps: Dependencies; runs(): number }> {
  const file = join(bench.folder, `file-${newId('art')}`);
  await mkdir(bench.folder, { recursive: true });
  await writeFile(file, '');
  let runs = 0;
  let time = Date.now();
  const deps = dependencies(() => Promise.resolve(++runs), source);
  return { deps: { ...deps, files: openFolder(file), now: () => (time += 20 * 60_000) }, runs: () => runs };
}

/** A signal that never aborts. */
const never = new AbortController().signal;

const run = (id: string, deps: Dependencies) =>
  perform(
    deps,
    { id, callId: 'image-1', attempt: 1, permit: noPermit, timeout: 60_000 },
    { attempt: never, call: never, canceled: never },
  );
const succeeded: Ending = { status: 'SUCCEEDED', failure: null, failures: [] };
const onDisk = (id: string) => readdir(join(bench.folder, id)).catch(() => null);

test('stores one of several concurrent results, and exactly its files', async () => {
  const id = await bench.artwork();
  await Promise.all(Array.from({ length: 8 }, () => run(id, dependencies())));
  const images = await findImages(bench.db, id);
  expect(images).toHaveLength(2);
  expect(await onDisk(id)).toEqual(images.map(({ name }) => name));
  for (const { name, sha256, bytes } of images) {
    const file = await readFile(join(bench.folder, id, name));
    expect({ bytes: file.byteLength, sha256: createHash('sha256').update(file).digest('hex') }).toEqual({
      bytes,
      sha256,
    });
  }
});

test('discards a result that arrives after the end; the artwork still equals its event', async () => {
  const id = await bench.artwork();
  await run(
    id,
    dependencies(() => finish(dependencies(), { id, ending: succeeded })),
  );
  expect(await findImages(bench.db, id)).toEqual([]);
  expect(await onDisk(id)).toEqual([]);
  const event = JSON.parse((await findArtwork(bench.db, id))!.eventBody!) as { images: unknown };
  expect(event.images).toEqual([]);
});

test('leaves no files for a result that arrives after the purge', async () => {
  const id = await bench.artwork();
  await run(
    id,
    dependencies(() => purge(dependencies(), { id })),
  );
  expect(await findArtwork(bench.db, id)).toBeNull();
  expect(await onDisk(id)).toBeNull();
});

test('ends an artwork once, with one event', async () => {
  const id = await bench.artwork();
  await Promise.all(Array.from({ length: 5 }, () => finish(dependencies(), { id, ending: succeeded })));
  const once = await findArtwork(bench.db, id);
  await finish(dependencies(), { id, ending: { ...succeeded, status: 'CANCELED' } });
  expect(await findArtwork(bench.db, id)).toEqual(once);
  expect(JSON.parse(once!.eventBody!)).toMatchObject({ id, eventId: once!.eventId, type: 'artwork.succeeded' });
});

test('fails for good when a paid result of a direct provider cannot be stored for half an hour', async () => {
  const id = await bench.artwork();
  const { deps, runs } = await withBrokenFolder({ limits: { concurrent: 1 }, isDirect: true });
  const error = await run(id, deps).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ name: 'EngineError', code: 'internal_error', isFinal: true });
  expect(runs()).toBe(1);
  expect(await findImages(bench.db, id)).toEqual([]);
});

test('can be repeated when a result that costs nothing cannot be stored', async () => {
  const id = await bench.artwork();
  const { deps } = await withBrokenFolder();
  const error = await run(id, deps).catch((reason: unknown) => reason);
  expect(codeOf(error)).toBe('unavailable');
  expect(toFailure(error, true)).toMatchObject({ type: 'unavailable', nonRetryable: false });
  await run(id, dependencies());
  expect(await findImages(bench.db, id)).toHaveLength(2);
});
