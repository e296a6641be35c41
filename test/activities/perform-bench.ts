/** Runs the activity `perform` in the test's own process, on a real database and folder. */
import { afterAll, beforeAll } from '@jest/globals';
import type { Dependencies } from '../../activities/dependencies.ts';
import type { EngineSource } from '../../engines/catalogue.ts';
import type { Engine } from '../../engines/contract/index.ts';
import { insertArtwork } from '../../store/artworks.ts';
import { openDatabase } from '../../store/database.ts';
import { findKeyBySecret } from '../../store/keys.ts';
import { activityDependencies, imagesOf } from '../support/activity-dependencies.ts';
import { newArtwork } from '../support/artworks.ts';
import { startSharedStack } from '../support/shared.ts';
import type { Stack } from '../support/stack.ts';

export interface PerformBench {
  /** The folder of the images. */
  folder: string;
  db: Dependencies['db'];
  /** Returns dependencies in which `selena` is bound to the engine. */
  dependencies(engine: Engine, source?: Partial<EngineSource>): Dependencies;
  /** Stores an artwork with one call, `image-1`, and returns its id. */
  artwork(): Promise<string>;
}

export function setUpPerform(): PerformBench {
  const bench = {} as PerformBench;
  let stack: Stack;
  beforeAll(async () => {
    stack = await startSharedStack({ apis: 0, workers: 0 });
    const db = openDatabase({ url: stack.databaseUrl, name: 'test' });
    const key = (await findKeyBySecret(db, stack.adminKey, new Date()))!.id;
    Object.assign(bench, {
      folder: imagesOf(stack),
      db,
      dependencies: (engine, source = {}) =>
        activityDependencies(stack, db, {
          models: { selena: { task: 'text-to-image', bindings: [{ engine: engine.name, timeout: 60_000 }] } },
          sources: {
            [engine.name]: { load: () => Promise.resolve(engine), role: 'providers', concurrency: 1, ...source },
          },
        }),
      artwork: async () => {
        const row = newArtwork({ org: stack.orgId, key, price: 0 });
        await insertArtwork(db, row);
        return row.id;
      },
    } satisfies PerformBench);
  });
  afterAll(async () => {
    await bench.db.close();
    await stack.stop();
  });
  return bench;
}
