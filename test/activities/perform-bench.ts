/** Runs the activity `perform` in the test's own process, on a real database and folder. */
import { join } from 'node:path';
import { afterAll, beforeAll } from '@jest/globals';
import type { Dependencies } from '../../activities/dependencies.ts';
import { createCatalogue, type EngineSource } from '../../engines/catalogue.ts';
import type { Engine } from '../../engines/contract/index.ts';
import { createLogger } from '../../runtime/log.ts';
import { createWorkerMetrics } from '../../runtime/metrics.ts';
import { insertArtwork } from '../../store/artworks.ts';
import { openDatabase } from '../../store/database.ts';
import { openFolder } from '../../store/files/folder.ts';
import { newId } from '../../store/ids.ts';
import { findKeyBySecret } from '../../store/keys.ts';
import { openLinks } from '../../store/links.ts';
import { openVault } from '../../store/vault.ts';
import { drawing } from '../support/artworks.ts';
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
    const vault = openVault(stack.secret);
    const db = openDatabase({ url: stack.databaseUrl, name: 'test' });
    const folder = join(stack.dataFolder, 'images');
    const key = (await findKeyBySecret(db, stack.adminKey))!.id;
    Object.assign(bench, {
      folder,
      db,
      dependencies: (engine, source = {}) => ({
        db,
        files: openFolder(folder),
        links: openLinks(vault, 'http://127.0.0.1'),
        vault,
        catalogue: createCatalogue({
          models: { selena: { task: 'text-to-image', bindings: [{ engine: engine.name, timeout: 60_000 }] } },
          sources: {
            [engine.name]: { load: () => Promise.resolve(engine), role: 'providers', concurrency: 1, ...source },
          },
        }),
        outbound: {
          post: () => Promise.reject(new Error()),
          get: () => Promise.reject(new Error()),
          close: () => Promise.resolve(),
        },
        taskQueue: 'test',
        now: Date.now,
        newId: (prefix) => newId(prefix),
        metrics: createWorkerMetrics(),
        log: createLogger('test', 'silent'),
        explainDatabaseError: () => false,
      }),
      artwork: async () => {
        const id = newId('art');
        const now = new Date();
        await insertArtwork(db, {
          ...{ id, org: stack.orgId, key, operation: 'selena', domain: 'artworks-internal' },
          input: {},
          plan: { prompt: null, stages: [{ name: 'generate', calls: [drawing] }] },
          metadata: {},
          webhookUrl: null,
          createdAt: now,
          expiresAt: new Date(now.getTime() + 60_000),
        });
        return id;
      },
    } satisfies PerformBench);
  });
  afterAll(async () => {
    await bench.db.close();
    await stack.stop();
  });
  return bench;
}
