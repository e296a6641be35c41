/** The dependencies of the services. */
import type { Client } from '@temporalio/client';
import type { Config } from '../runtime/config.ts';
import type { Logger } from '../runtime/log.ts';
import type { ApiMetrics } from '../runtime/metrics.ts';
import type { PriceList } from '../schemas/price.ts';
import type { Changes } from '../store/changes.ts';
import type { Database } from '../store/database.ts';
import type { Files } from '../store/files.ts';
import type { IdPrefix } from '../store/ids.ts';
import type { Links } from '../store/links.ts';
import type { UsageCounter } from './usage-counter.ts';

/** The dependencies of creating an artwork. The API and the operator's command line provide them. */
export interface CreationDependencies {
  config: Config;
  prices: PriceList;
  temporal: Client;
  db: Database;
  files: Files;
  uses: Pick<UsageCounter, 'countArtwork'>;
  metrics: Pick<ApiMetrics, 'starts'>;
  log: Logger;
  /** Epoch milliseconds. */
  now(): number;
  newId(prefix: IdPrefix, now?: number): string;
  newSeed(): number;
}

/** The dependencies of all services: also those of reading artworks and of waiting for them. */
export interface ServiceDependencies extends CreationDependencies {
  changes: Changes;
  links: Links;
  /** Aborts when this process starts to stop. */
  stopping: AbortSignal;
}
