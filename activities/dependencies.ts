/** The dependencies of activities. Tests can replace each of them. */
import type { Catalogue } from '../engines/catalogue.ts';
import type { Decoder } from '../images/decoder.ts';
import type { WorkerMetrics } from '../runtime/metrics.ts';
import type { WorkerRole } from '../runtime/worker-roles.ts';
import type { Database } from '../store/database.ts';
import type { Files } from '../store/files.ts';
import type { IdPrefix } from '../store/ids.ts';
import type { Links } from '../store/links.ts';
import type { Vault } from '../store/vault.ts';
import type { Outbound } from './outbound.ts';
import type { PollPermits } from './poll-permits.ts';

/** The part of the process's logger that activities use. */
export interface Logger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export interface Dependencies {
  db: Database;
  files: Files;
  links: Links;
  vault: Vault;
  catalogue: Catalogue;
  /** The roles of this process. */
  roles: ReadonlySet<WorkerRole>;
  outbound: Outbound;
  /** Milliseconds of failed deliveries after which a destination is paused; null: never. */
  pauseAfter: number | null;
  /** Decodes the results of providers. */
  decoder: Decoder;
  /** The task queue of the service. The task queue of an engine is `<taskQueue>-<engine>`. */
  taskQueue: string;
  /** The permits of this process, by the task queue of a provider with limits. */
  permits: ReadonlyMap<string, PollPermits>;
  /** Epoch milliseconds. */
  now(): number;
  newId(prefix: IdPrefix): string;
  metrics: WorkerMetrics;
  log: Logger;
  /** Adds the id of the request that created the artwork to the log lines of the current step. */
  nameRequest(requestId: string | null | undefined): void;
  /**
   * Logs why the database is unavailable, unless it has done so in the last seconds. Returns whether it can explain the
   * error, which then needs no stack trace.
   */
  explainDatabaseError(error: unknown): boolean;
}
