/** One entry in the list of migrations: what runs in its transaction, and what runs before it while the service runs. */
import type { Migration } from '@mikro-orm/migrations';
import type { Configuration } from '@mikro-orm/core';
import type { AbstractSqlDriver } from '@mikro-orm/postgresql';

/** An index on a table of an earlier migration. It is built while the service writes to the table. */
export interface OnlineIndex {
  name: string;
  isUnique?: boolean;
  /** What follows the index's name in `create index`: `on "table" ("column")`. */
  definition: string;
}

export interface MigrationStep {
  /** Never changes: the database remembers it. */
  name: string;
  class: new (driver: AbstractSqlDriver, config: Configuration) => Migration;
  /** Default: none. */
  indexes?: readonly OnlineIndex[];
  /**
   * Statements that change existing rows before the transaction of the migration and after its indexes are built. Each
   * changes a limited number of rows, and runs until it finds none, in a transaction each time. Default: none.
   */
  slices?: readonly string[];
}

/** Returns the statement that builds the index without blocking writes. It cannot run in a transaction. */
export const createIndexSql = ({ name, isUnique = false, definition }: OnlineIndex): string =>
  `create ${isUnique ? 'unique ' : ''}index concurrently "${name}" ${definition}`;
