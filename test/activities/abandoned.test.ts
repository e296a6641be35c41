/** Claims and tombstones that nothing else purges are purged when they have expired. */
import { expect, test } from '@jest/globals';
import { purgeAbandoned } from '../../activities/abandoned.ts';
import type { Engine } from '../../engines/contract/index.ts';
import { claimArtwork } from '../../store/artworks.ts';
import { Artwork } from '../../store/entities.ts';
import { eraseArtwork } from '../../store/erase-artwork.ts';
import { newId } from '../../store/ids.ts';
import { setUpPerform } from './perform-bench.ts';

const bench = setUpPerform();
const engine: Engine = {
  name: 'none',
  tasks: [],
  run: () => Promise.reject(new Error()),
  close: () => Promise.resolve(),
};

test('purges expired claims and tombstones with their files, and nothing else', async () => {
  const deps = bench.dependencies(engine);
  const [kept, deleted] = [await bench.artwork(), await bench.artwork()];
  const { org: orgId, key: keyId } = await bench.db.em().findOneOrFail(Artwork, { id: kept });
  const claim = async (expiresAt: Date) => {
    const id = newId('art');
    await claimArtwork(bench.db, { id, orgId, keyId, operation: 'selena' }, { now: new Date(), expiresAt });
    return id;
  };
  const [expired, open] = [await claim(new Date(Date.now() + 1000)), await claim(new Date(Date.now() + 3_600_000))];
  await eraseArtwork(bench.db, deleted, new Date());
  await deps.files.write(expired, 'image.png', Buffer.from('left over'));

  const left = async () => {
    const rows = await bench.db.em().find(Artwork, { id: { $in: [kept, deleted, expired, open] } });
    return rows.map(({ id }) => id).sort();
  };
  await purgeAbandoned(deps);
  expect(await left()).toEqual([kept, deleted, expired, open].sort());
  // The artworks expire after a minute.
  await purgeAbandoned({ ...deps, now: () => Date.now() + 5 * 60_000 });
  expect(await left()).toEqual([kept, open].sort());
  expect(await deps.files.load(expired, 'image.png')).toBeNull();
});
