/** What the API needs from outside. */
import type { Client } from '@temporalio/client';
import type { Config } from '../config.ts';
import type { Logger } from '../log.ts';
import type { ApiMetrics } from '../metrics.ts';
import type { Operation } from '../schemas/operation.ts';
import type { PriceList } from '../schemas/price.ts';
import type { Changes } from '../store/changes.ts';
import type { Database } from '../store/database.ts';
import type { Files } from '../store/files.ts';
import type { IdPrefix } from '../store/ids.ts';
import type { Links } from '../store/links.ts';
import type { Limiter } from '../store/limiter.ts';
import type { Vault } from '../store/vault.ts';
import type { Uses } from './uses.ts';

/** What of it accepts a request. */
export type Accepting = Pick<
  Dependencies,
  'config' | 'prices' | 'temporal' | 'db' | 'files' | 'now' | 'newId' | 'newSeed'
> & { uses: Pick<Uses, 'countArtwork'>; metrics: Pick<ApiMetrics, 'starts'> };

export interface Dependencies {
  config: Config;
  operations: readonly Operation[];
  prices: PriceList;
  temporal: Client;
  db: Database;
  changes: Changes;
  files: Files;
  links: Links;
  vault: Vault;
  limiter: Limiter;
  uses: Uses;
  metrics: ApiMetrics;
  log: Logger;
  /** Aborts when this process begins to stop. */
  stopping: AbortSignal;
  /** Epoch milliseconds. */
  now(): number;
  newId(prefix: IdPrefix, now?: number): string;
  newSeed(): number;
}
