/** Opens the database and classifies its errors. */
import {
  ConnectionException,
  DriverException,
  ForeignKeyConstraintViolationException,
  UniqueConstraintViolationException,
} from '@mikro-orm/core';
import { type EntityManager, MikroORM } from '@mikro-orm/postgresql';
import { postgresOptions } from '../runtime/postgres-url.ts';
import { entities } from './entities.ts';
import { BindingDriver } from './bound-values.ts';
import { removeBrokenConnections } from './pool.ts';

/** An open database. Each unit of work uses its own `EntityManager`. */
export interface Database {
  em(): EntityManager;
  close(): Promise<void>;
}

/** The address of a database. */
export interface DatabaseAddress {
  /** Its `sslmode` decides about TLS. */
  url: string;
  /** Whether a pooler gives each transaction another connection, which has no settings of ours. Default: false. */
  isPooled?: boolean;
}

interface Options extends DatabaseAddress {
  /** The name in `pg_stat_activity`. */
  name: string;
  /** Maximum number of connections. */
  connections?: number;
  /** Milliseconds that connecting or a query may take: the longest that a request waits for a database that is down. */
  timeout?: number;
}

export function openDatabase(options: Options): Database {
  const { url, isPooled, name, connections = 10, timeout = 2000 } = options;
  const { ssl, database, ...login } = postgresOptions(url);
  const orm = new MikroORM({
    entities,
    driver: BindingDriver,
    ...login,
    dbName: database,
    // Otherwise, MikroORM creates a missing database.
    ensureDatabase: false,
    pool: { min: 0, max: connections },
    driverOptions: {
      ssl,
      application_name: name,
      connectionTimeoutMillis: timeout,
      query_timeout: timeout,
      // A pooler refuses settings of a connection, because it shares its connections. It has timeouts of its own.
      ...(isPooled !== true && {
        statement_timeout: timeout,
        // A process that freezes inside a transaction must not keep its locks.
        idle_in_transaction_session_timeout: timeout,
      }),
      keepAlive: true,
      onPoolCreated: removeBrokenConnections,
    },
    logger: () => undefined,
  });
  return { em: () => orm.em.fork(), close: () => orm.close(true) };
}

/**
 * SQLSTATE codes of transient errors: connections, access, resources, operator intervention, a standby, timeouts and
 * conflicts.
 */
const transientCodes = /^(08|28|3D000|53|57|58|25006|25P03|40001|40P01|55P03)/;
/** Codes of Node for a certificate that it rejects, which the operator replaces. */
const tlsErrors = /^(ERR_TLS_|ERR_SSL_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|CERT_)/;
const networkErrors = [
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
];
const isTransient = (code: string) => transientCodes.test(code) || tlsErrors.test(code) || networkErrors.includes(code);

/** Returns whether an error means that the database is unavailable for now, so that another attempt can succeed. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (error instanceof ConnectionException) return true;
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    const code = (cause as { code?: unknown }).code;
    if (typeof code === 'string' && isTransient(code)) return true;
    // pg's own errors have no code.
    if (/timeout|Connection terminated|not queryable|Query read|SSL connection/i.test(cause.message)) {
      return cause instanceof DriverException || !(error instanceof DriverException) || code === undefined;
    }
  }
  return false;
}

/** Returns whether a statement has violated a unique constraint. @param constraint its name; default: any */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  if (!(error instanceof UniqueConstraintViolationException)) return false;
  return constraint === undefined || ('constraint' in error && error.constraint === constraint);
}

export function isForeignKeyViolation(error: unknown): boolean {
  return error instanceof ForeignKeyConstraintViolationException;
}
