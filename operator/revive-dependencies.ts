/** Opens what reviving artworks needs, for one command. */
import type { Config } from '../runtime/config.ts';
import { createLogger } from '../runtime/log.ts';
import { createApiMetrics } from '../runtime/metrics.ts';
import { fileTimeouts } from '../runtime/timeouts.ts';
import type { ReviveDependencies } from '../services/revive.ts';
import { openFiles } from '../store/files.ts';
import { newId } from '../store/ids.ts';
import { openLinks } from '../store/links.ts';
import type { Context } from './context.ts';
import { withTemporal } from './temporal.ts';

/** @throws as `withTemporal`; an error when the file store cannot be opened */
export async function withReviveDependencies<T>(
  { db, config, vault }: Context & { config: Config },
  work: (deps: ReviveDependencies) => Promise<T>,
): Promise<T> {
  const files = await openFiles(config.files, { timeout: fileTimeouts.operator });
  const log = createLogger('operator', config.logLevel, undefined, 2);
  const links = openLinks(vault, config.publicUrl);
  return withTemporal(config, (temporal) =>
    work({ config, db, files, links, log, metrics: createApiMetrics(), newId, now: Date.now, temporal }),
  );
}
