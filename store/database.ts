/** The one place that opens the database. */
import {
  ConnectionException,
  DriverException,
  ForeignKeyConstraintViolationException,
  UniqueConstraintViolationException,
} from '@mikro-orm/core';
import { type EntityManager, MikroORM } from '@mikro-orm/postgresql';
import { entities } from './entities.ts';
import { removeBrokenConnections } from './pool.ts';

/** An open database. Every unit of work takes its own `EntityManager`. */
export interface Database {
  em(): EntityManager;
  close(): Promise<void>;
}

interface Options {
  url: string;
  /** Shown in `pg_stat_activity`. */
  name: string;
  /** Connections at most. */
  connections?: number;
  /** Milliseconds that a connection or an answer may take; so long a request can hang on a database that is down. */
  timeout?: number;
}

export function openDatabase({ url, name, connections = 10, timeout = 2000 }: Options): Database {
  const orm = new MikroORM({
    entities,
    clientUrl: url,
    pool: { min: 0, max: connections },
    driverOptions: {
      application_name: name,
      connectionTimeoutMillis: timeout,
      query_timeout: timeout,
      statement_timeout: timeout,
      // A process that is frozen in the middle must not go on holding the locks that others wait for.
      idle_in_transaction_session_timeout: timeout,
      keepAlive: true,
      onPoolCreated: removeBrokenConnections,
    },
    logger: () => undefined,
  });
  return { em: () => orm.em.fork(), close: () => orm.close(true) };
}

/** PostgreSQL's classes of "not now": connection trouble, resources, operator intervention; and timeouts of ours. */
const passing = /^(08|53|57|58|25006|25P03|40001|40P01)/;
const networkErrors = ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EHOSTUNREACH', 'ENETUNREACH'];

/** Whether an error says that the database cannot be used right now, so that another try may succeed. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (error instanceof ConnectionException) return true;
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    const code = (cause as { code?: unknown }).code;
    if (typeof code === 'string' && (passing.test(code) || networkErrors.includes(code))) return true;
    // pg has no codes for these.
    if (/timeout|Connection terminated|not queryable|Query read/i.test(cause.message)) {
      return cause instanceof DriverException || !(error instanceof DriverException) || code === undefined;
    }
  }
  return false;
}

/** @param constraint any of them when not given */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  if (!(error instanceof UniqueConstraintViolationException)) return false;
  return constraint === undefined || ('constraint' in error && error.constraint === constraint);
}

export function isForeignKeyViolation(error: unknown): boolean {
  return error instanceof ForeignKeyConstraintViolationException;
}
