/** The dependencies of activities that a test runs in its own process. Outgoing requests and conversions fail. */
import { join } from 'node:path';
import type { Dependencies } from '../../activities/dependencies.ts';
import { type Bindings, createCatalogue } from '../../engines/catalogue.ts';
import { createLogger } from '../../runtime/log.ts';
import { createWorkerMetrics } from '../../runtime/metrics.ts';
import { workerRoles } from '../../runtime/worker-roles.ts';
import type { Database } from '../../store/database.ts';
import { openFolder } from '../../store/files/folder.ts';
import { newId } from '../../store/ids.ts';
import { openLinks } from '../../store/links.ts';
import { openVault } from '../../store/vault.ts';
import type { Stack } from './stack.ts';

/** The folder of the images of a stack. */
export const imagesOf = ({ dataFolder }: Pick<Stack, 'dataFolder'>): string => join(dataFolder, 'images');

export function activityDependencies(
  stack: Pick<Stack, 'secret' | 'dataFolder'>,
  db: Database,
  bindings: Bindings = { models: {}, sources: {} },
): Dependencies {
  const vault = openVault(stack.secret);
  return {
    db,
    files: openFolder(imagesOf(stack)),
    links: openLinks(vault, 'http://127.0.0.1'),
    vault,
    catalogue: createCatalogue(bindings),
    roles: new Set(workerRoles),
    outbound: {
      post: () => Promise.reject(new Error()),
      get: () => Promise.reject(new Error()),
      close: () => Promise.resolve(),
    },
    pauseAfter: null,
    decoder: { convert: () => Promise.reject(new Error()), close: () => Promise.resolve() },
    taskQueue: 'test',
    permits: new Map(),
    now: Date.now,
    newId: (prefix) => newId(prefix),
    metrics: createWorkerMetrics(),
    log: createLogger('test', 'silent'),
    nameRequest: () => undefined,
    explainDatabaseError: () => false,
  };
}
