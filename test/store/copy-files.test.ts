/** Moving files from a folder to another store, while something else changes the folder. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { deleteArtworkRows, insertArtwork } from '../../store/artworks.ts';
import { copyFiles } from '../../store/copy-files.ts';
import type { Database } from '../../store/database.ts';
import { deleteCopied } from '../../store/delete-copied.ts';
import { eraseArtwork } from '../../store/erase-artwork.ts';
import type { Files } from '../../store/files.ts';
import { openFolder } from '../../store/files/folder.ts';
import { newArtwork } from '../support/artworks.ts';
import { type OwnDatabase, ownDatabase } from '../support/database.ts';
import { openTestDatabase } from '../support/open-database.ts';

let own: OwnDatabase;
let db: Database;
let base: string;
let folder: string;
let source: Files;
let target: Files;

beforeAll(async () => {
  own = await ownDatabase();
  db = openTestDatabase(own.url);
});
beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'atelier-copy-'));
  folder = join(base, 'from');
  source = openFolder(folder);
  target = openFolder(join(base, 'to'));
});
afterEach(() => rm(base, { recursive: true }));
afterAll(async () => {
  await db.close();
  await own.sql.end();
});

/** Stores an artwork with two files. */
async function stored(): Promise<string> {
  const artwork = newArtwork({ ...own.owner, price: 0 });
  await insertArtwork(db, artwork);
  for (const name of ['a.png', 'b.png']) await source.write(artwork.id, name, Buffer.from(name));
  return artwork.id;
}

const copy = () => copyFiles({ db, folder, files: target, onCopy: () => {} });
const at = (place: string, owner: string) => readdir(join(base, place, owner)).catch(() => []);

/** Copies, and runs `work` before the first write or after it. */
function copyWith({ before, after }: { before?: () => Promise<unknown>; after?: () => Promise<unknown> }) {
  let writes = 0;
  const files: Files = {
    ...target,
    async write(owner, name, content) {
      const isFirst = ++writes === 1;
      if (isFirst) await before?.();
      await target.write(owner, name, content);
      if (isFirst) await after?.();
    },
  };
  return copyFiles({ db, folder, files, onCopy: () => {} });
}

test('keeps the copies when the folder is removed and the artwork is not', async () => {
  const id = await stored();
  expect(await copyWith({ after: () => rm(join(folder, id), { recursive: true }) })).toMatchObject({ copied: 1 });
  expect(await at('to', id)).toHaveLength(1);
});

test('removes the copies of an artwork that is purged or erased during the copy', async () => {
  const purged = await stored();
  const purge = async () => {
    await source.remove(purged);
    await deleteArtworkRows(db, purged, new Date());
  };
  await copyWith({ after: purge });
  expect(await at('to', purged)).toEqual([]);
  const erased = await stored();
  const erase = async () => {
    await eraseArtwork(db, erased, new Date());
    await source.remove(erased);
  };
  await copyWith({ after: erase });
  expect(await at('to', erased)).toEqual([]);
});

test('skips a file that is deleted between its listing and its copy', async () => {
  const id = await stored();
  expect(await copyWith({ before: () => source.remove(id) })).toMatchObject({ copied: 0 });
  expect(await at('to', id)).toEqual([]);
});

test('copies nothing of an artwork that is erased', async () => {
  const id = await stored();
  await eraseArtwork(db, id, new Date());
  expect(await copy()).toMatchObject({ copied: 0, withoutRow: 1 });
  expect(await at('to', id)).toEqual([]);
});

test('deletes what the store has, and neither copies nor deletes what it lacks', async () => {
  const [complete, partial] = [await stored(), await stored()];
  await copy();
  await target.delete(partial, 'b.png');
  expect(await deleteCopied(db, folder, target)).toEqual({ deleted: 3, notInStore: 1, withoutRow: 0 });
  expect([await at('from', complete), await at('from', partial)]).toEqual([[], ['b.png']]);
  expect([await at('to', complete), await at('to', partial)]).toEqual([['a.png', 'b.png'], ['a.png']]);
});

test('two deletions at once remove nothing from the store', async () => {
  const ids = await Promise.all(Array.from({ length: 20 }, stored));
  await copy();
  await Promise.all([deleteCopied(db, folder, target), deleteCopied(db, folder, target)]);
  for (const id of ids) expect([await at('from', id), await at('to', id)]).toEqual([[], ['a.png', 'b.png']]);
});
